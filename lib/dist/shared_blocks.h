#pragma once
// Memory of one node: a block of each rank, which all of them read and write.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "lib/dist/watchdog.h"

namespace tandem {

/// Blocks of so many bytes each, behind a head that says how often their rank came to meet().
class SharedBlocks {
 public:
  SharedBlocks() = default;  // none yet
  explicit SharedBlocks(std::size_t bytes) : bytes_(bytes) {}

  std::size_t bytes() const { return bytes_; }
  std::size_t bytes_with_head() const { return bytes_ + kHead; }
  /// The block of the next rank, in rank order.
  void add(std::unique_ptr<SharedMemory> block) { of_.push_back(std::move(block)); }
  /// Once all ranks have mapped all blocks: descriptors are few, and ranks many.
  void close_descriptors() {
    for (const auto& block : of_) block->close_descriptor();
  }
  std::byte* of(std::size_t rank) const { return static_cast<std::byte*>(of_[rank]->data()) + kHead; }
  std::int64_t next_turn() { return turns_++; }
  void meet(std::size_t rank);

 private:
  using Met = std::atomic<std::uint64_t>;
  static constexpr std::size_t kHead = 64;
  static_assert(sizeof(Met) <= kHead && Met::is_always_lock_free);
  Met& met(std::size_t rank) const { return *static_cast<Met*>(of_[rank]->data()); }

  std::vector<std::unique_ptr<SharedMemory>> of_;  // of ranks
  std::size_t bytes_ = 0;
  std::int64_t turns_ = 0;
  std::uint64_t meetings_ = 0;
};

}  // namespace tandem
