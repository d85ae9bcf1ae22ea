#pragma once
// What a kernel asks of the memory system: its loads and stores, lane by lane, put together to the requests
// of warps, as the hardware would see them, and counted per source line.

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lib/simt/executor.h"
#include "lib/simt/symbols.h"

namespace tandem::simt {

/// Counts of requests. A request is one instruction of one warp: up to 32 lanes, each with its own address.
struct TANDEM_API Requests {
  std::int64_t requests = 0;
  std::int64_t lanes = 0;             // that took part, over all requests
  std::int64_t least_requests = 0;    // had the lanes of a block that did the same filled whole warps
  std::int64_t bytes = 0;             // different ones asked for
  std::int64_t sectors = 0;           // global: different 32-byte sectors, summed over requests
  std::int64_t least_sectors = 0;     // had the same bytes been neighbours
  std::int64_t lines = 0;             // global: different 128-byte lines
  std::int64_t wavefronts = 0;        // shared: passes needed, one per word of the most wanted bank
  std::int64_t least_wavefronts = 0;  // without conflicts
  // Passes that no hardware of 32 banks saves. Shared: as above, but wide accesses of a whole warp at once, since lanes
  // that want the same words may share them. Global: one for 128 bytes, and one for 4 lines.
  std::int64_t sure_passes = 0;
  int ways = 0;  // shared: the worst request's words in one bank

  void add(const Requests& other);
  /// Bytes asked for ÷ bytes moved from and to global memory; 1 when nothing was.
  double efficiency() const { return sectors ? double(bytes) / (32.0 * double(sectors)) : 1; }
  /// Active lanes ÷ 32 per request.
  double lane_use() const { return requests ? double(lanes) / (32.0 * double(requests)) : 1; }
  std::int64_t extra_wavefronts() const { return wavefronts - least_wavefronts; }
};

/// What one shared request asks of the banks. 8-byte accesses go half a warp at a time, 16-byte ones a
/// quarter.
struct BankUse {
  int wavefronts = 0, least = 0;  // passes; without conflicts
  int sure = 0;                   // passes, were all lanes served together
  std::array<int, 32> ways{};     // different words wanted from the bank of each lane's word
};
TANDEM_API BankUse bank_use(unsigned mask, unsigned bytes, const std::array<std::uint64_t, 32>& address);

/// All loads, all stores or all atomic operations of one source line in one space.
struct LineTraffic {
  SourceLine line;
  Space space;
  Kind kind;
  Requests counts;
};

/// One request in full, or one shuffle or vote, for a picture: what every lane of a warp touched.
struct Round {
  SourceLine line;  // of `site`, known once the launch is over
  std::uint32_t site;
  Space space;
  Kind kind;
  std::int64_t barriers;                  // that the block had passed
  unsigned bytes;                         // per lane
  unsigned mask;                          // lanes that took part
  std::array<std::uint64_t, 32> address;  // shared: from the start of the block's; global: of its allocation;
                                          // of a shuffle: the lane whose value each lane gets
  Requests counts;
};

/// What a block has to wait for, one after another. Loads between two barriers, shuffles or matches of a warp are on
/// their way together and count once, unless one stands behind an atomic operation, or a store to the same space, that
/// stands behind others: threads execute in order, and compilers move no load over what may change it. Over a ballot they
/// do. Of the warps, the one that waits longest counts.
struct Waits {
  std::int64_t far =
      0;  // loads of sectors that the block had not loaded, and relaxed ones; fences behind a store
  std::int64_t near = 0;      // loads of shared memory, or of sectors that the block had loaded, alone
  std::int64_t barriers = 0;  // __syncthreads
  auto operator<=>(const Waits&) const = default;
  Waits& operator+=(const Waits& other);
};

struct LaunchTraffic {
  std::string kernel;
  Dim3 grid, block;
  std::size_t shared_bytes;   // dynamic
  bool early = false;         // starts while the launch before it drains
  std::int64_t barriers = 0;  // __syncthreads met, summed over blocks
  std::int64_t loaded_sectors = 0,
               stored_sectors = 0;  // of global memory: different ones in the whole launch
  std::int64_t issued = 0;          // by warps: requests, shuffles and votes, arrivals at __syncthreads
  std::int64_t matched = 0;         // values that differ, by warps that match them
  std::int64_t contended = 0;       // sectors of atomic requests in the most wanted line
  Waits waits, longest_waits;       // summed over blocks; of the block that waits most
  Requests global, shared;          // totals
  std::vector<LineTraffic> lines;   // in the order of the file
  std::vector<Round> rounds;        // of the first warp of the first block, in order; at most kMostRounds
};

class TANDEM_API Traffic : public Observer {
 public:
  static constexpr std::size_t kMostRounds = 400;
  Traffic();
  ~Traffic() override;
  void launch(const Launch& launch) override;
  void block(std::uint64_t index, unsigned threads) override;
  void block_end() override;
  void block_again(std::uint64_t index) override;
  bool access(const Access& access) override;
  void caught_up(unsigned warp) override;
  void block_barrier() override;
  void warp_call(const WarpMeeting& meeting) override;
  void fence(unsigned thread, Scope scope) override;
  /// Everything counted so far, launch by launch.
  std::vector<LaunchTraffic> take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tandem::simt
