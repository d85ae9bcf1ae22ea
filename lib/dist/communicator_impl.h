#pragma once
// What a communicator holds.

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "lib/dist/engine.h"
#include "lib/dist/gpu_link.h"
#include "lib/dist/kernels/kernels.h"
#include "lib/dist/shared_blocks.h"
#include "lib/dist/watchdog.h"
#include "tandem/communicator.h"

namespace tandem {

class PeerMemory;

struct Communicator::Impl {
  /// Takes over `comm`, a communicator of the engine's that is nobody else's. Made by all of its ranks.
  /// nccl: the caller's, for ranks on GPUs; null where they make their own.
  Impl(Context& ctx, const Engine& engine, int comm, Nccl::Comm nccl = nullptr);
  Impl(const Impl&) = delete;
  ~Impl();

  /// Runs what waits for other ranks; they see it on the board.
  template <class Work>
  decltype(auto) message(const Work& work) {
    struct Message {
      explicit Message(Board* shown) : board(shown) {
        if (board) board->begin_message();
      }
      Message(const Message&) = delete;
      ~Message() {
        if (board) board->end_message();
      }
      Board* board;
    };
    const Message shown(board.get());
    return work();
  }
  /// CommunicationError for a code that is not 0.
  void check(int code, RankCall call) const;
  void all_gather(RankCall call, const void* part, void* all, std::int64_t bytes);
  /// What each rank has, in rank order.
  template <class T>
  std::vector<T> gathered(RankCall call, const T& mine) {
    std::vector<T> all(static_cast<std::size_t>(size));
    all_gather(call, &mine, all.data(), sizeof(T));
    return all;
  }
  /// "reduce over 4 ranks: "
  std::string prefix(RankCall call) const;

  Context& ctx;
  const Engine& engine;
  int comm, rank = 0, size = 0;
  bool checks = false;           // TANDEM_CHECK_RANKS
  std::uint64_t calls = 0;       // made so far
  std::shared_ptr<Board> board;  // null where nobody watches
  std::vector<std::vector<std::byte>> memory;
  std::unique_ptr<GpuLink> gpu;       // null where ranks compute on the host
  std::unique_ptr<PeerMemory> peers;  // once a call asked for it
  std::string no_peers;               // why there is none
  SharedBlocks blocks;
  bool shares = true;       // false once a rank could not have blocks
  std::vector<pid_t> pids;  // of the ranks of this node; 0: on another one

 private:
  const pid_t process = getpid();
  void make_board(Watch& watch, std::shared_ptr<Backend> device);
  void make_link(Nccl::Comm callers);
};

/// Those of the place where the ranks' kernels run.
inline const RankKernels& kernels_for(const Context& ctx) {
  return rank_kernels(ctx.place() == Place::device ? Place::device : Place::simt);
}

/// What most ranks tell, of several the one of the lowest rank.
template <class Told>
const Told& most_frequent(const std::vector<Told>& all) {
  const auto count = [&](const Told& one) {
    return std::count_if(all.begin(), all.end(), [&](const Told& x) { return x.is_same(one); });
  };
  return *std::max_element(all.begin(), all.end(),
                           [&](const Told& a, const Told& b) { return count(a) < count(b); });
}

}  // namespace tandem
