#pragma once
// all_reduce between GPUs of one node by kernels that store into each other's memory (custom_kernels/all_reduce): what
// the ranks of a communicator share for it, and the call.

#include <memory>
#include <vector>

#include "lib/dist/peer_contract.h"
#include "tandem/communicator.h"

namespace tandem {

/// Steps of the ladder, in the order of `kPeerSteps`.
enum class PeerStep : std::int32_t { one_shot, two_shot, flag_in_word };
constexpr const char* kPeerSteps[] = {"one_shot", "two_shot", "flag_in_word"};

/// The ranks' memory as rank `rank` sees it. memory[r]: Peers::bytes(half) bytes, zeroed.
TANDEM_API Peers peers_of(int rank, const std::vector<std::byte*>& memory, std::int64_t half, int blocks);

/// Whether there are such kernels for a case.
TANDEM_API bool has_peer_kernel(CaseId id);

/// y[i] = op over x[i] of all ranks, in rank order: the same bits on every rank. Called by all of them, with as many elements. Queued
/// on the context's stream; may be captured in a graph that every rank replays. Throws Unavailable where this build, the place of
/// the context or the case have no such kernel, for all ranks alike.
TANDEM_API void all_reduce_by_peers(Context& ctx, const Peers& peers, PeerStep step, CaseId id, const void* x,
                                    void* y, std::int64_t n);

/// Device memory of each rank of a communicator, into which the others store.
class TANDEM_API PeerMemory {
 public:
  static constexpr std::int64_t kHalf = 32 << 20;

  /// Made by all ranks, of one node, each of which has a GPU of its own for `ctx`. Throws Unavailable, on all of them and with the
  /// reason, where one cannot reach another. From then on, whatever waits for the context throws CommunicationError where a
  /// kernel of this rank waited for another one longer than TANDEM_TIMEOUT says.
  PeerMemory(Communicator::Impl& all, Context& ctx, std::int64_t half = kHalf);
  PeerMemory(const PeerMemory&) = delete;
  /// Nobody stores into this rank's memory any more once its own calls have ended: it goes to the next PeerMemory. (It is not freed:
  /// others may still have it open.)
  ~PeerMemory();

  const Peers& peers() const { return peers_; }

 private:
  Context& ctx_;
  std::int64_t half_;
  std::byte* own_ = nullptr;
  std::vector<std::byte*> opened_;  // of the other ranks
  Peers peers_{};
};

}  // namespace tandem
