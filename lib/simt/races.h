#pragma once
// Finds data races: two accesses of different threads to the same bytes, at least one of them a write and not
// both atomic, that nothing orders. It follows the order that the program promises, not the one in which the
// executor happened to run, so a race is found even where every run gives the right result.
//
// What orders two accesses:
//   in a warp     __syncwarp with both lanes in its mask (a shuffle or vote does not);
//   in a block    __syncthreads;
//   in a cluster  its barrier;
//   anywhere      write, fence, atomic operation (or relaxed store) here; atomic operation (or relaxed load)
//   that comes
//                 after it, fence, access there. A barrier of the block may stand between the fence and the
//                 atomic operation of another thread. For a read before a write no fences are needed: a value
//                 that was used cannot be read again later.
//   between ranks the same, with fences and atomic operations of the whole system; and all that a launch did is
//                 before what the next launch of its rank does. Two atomic operations of different ranks race,
//                 too, unless both are of the system.
// Also reported: shared memory that is read before any thread of the block wrote it.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lib/simt/executor.h"
#include "lib/simt/symbols.h"

namespace tandem::simt {

struct TANDEM_API Race {
  struct Side {
    SourceLine line;  // of `site`
    std::uint32_t site = 0;
    Kind kind{};
    std::uint64_t block = 0;
    unsigned thread = 0;
    int rank = -1;
  };
  std::string kernel;
  Space space;
  std::uint64_t address;   // the word: in shared memory from its start, else in the address space
  bool uninitialised;      // `second` reads what nobody wrote; `first` is empty
  Side first, second;      // of the first such pair that was met
  std::int64_t count = 1;  // pairs of these two lines
  /// "race on shared memory: tile.cu:31 writes (block 0, thread 5) and tile.cu:33 reads (block 0, thread 37)
  /// …"
  std::string str() const;
};

class TANDEM_API Races : public Observer {
 public:
  /// Stops watching (observe(nullptr)) after `most_accesses`.
  explicit Races(std::uint64_t most_accesses = ~std::uint64_t{0});
  ~Races() override;
  void launch(const Launch& launch) override;
  bool over_ranks(int count) override;
  void block(std::uint64_t index, unsigned threads) override;
  void block_again(std::uint64_t index) override;
  void block_end() override;
  bool access(const Access& access) override;
  void unspecified(const Access& range) override { access(range); }
  void block_barrier() override;
  void warp_call(const WarpMeeting& meeting) override;
  void fence(unsigned thread, Scope scope) override;
  void mbarrier_arrived(unsigned thread, const void* mbarrier) override;
  void mbarrier_waited(unsigned thread, const void* mbarrier) override;
  void cluster_arrived(unsigned thread) override;
  void cluster_waited(unsigned thread) override;
  /// The races found so far, one entry per pair of source lines, the most frequent first.
  std::vector<Race> take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tandem::simt
