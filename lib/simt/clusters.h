#pragma once
// Clusters of blocks that take turns: where the shared memory of each lies, and their barriers. Only the OS thread
// whose turn it is uses them.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tandem::simt {

class Clusters {
 public:
  /// Blocks first, first + 1, …, in clusters of `size`.
  Clusters(std::uint64_t first, unsigned blocks, unsigned size, unsigned threads_per_block);

  unsigned size() const { return size_; }
  unsigned rank(std::uint64_t block) const { return static_cast<unsigned>((block - first_) % size_); }

  /// A block begins and ends.
  void open(std::uint64_t block, std::byte* shared) { shared_[block - first_] = shared; }
  void close(std::uint64_t block) { shared_[block - first_] = nullptr; }
  /// The block of that rank in the cluster of `block`.
  std::uint64_t neighbour(std::uint64_t block, unsigned rank) const {
    return block - this->rank(block) + rank;
  }
  /// Its shared memory; nullptr unless it runs.
  std::byte* shared_of(std::uint64_t block) const { return shared_[block - first_]; }

  /// A thread arrives at the barrier of its cluster; returns the phase that ends when all have.
  std::uint32_t arrive(std::uint64_t block);
  bool has_ended(std::uint64_t block, std::uint32_t phase) const { return barrier(block).phase != phase; }
  /// A thread ends: nobody waits for it. `arrived`: in a phase that has not ended.
  void leave(std::uint64_t block, bool arrived);

 private:
  struct Barrier {
    unsigned threads, arrived = 0;
    std::uint32_t phase = 0;
    void end_phase_if_all_arrived();
  };
  const Barrier& barrier(std::uint64_t block) const { return barriers_[(block - first_) / size_]; }
  Barrier& barrier(std::uint64_t block) { return barriers_[(block - first_) / size_]; }

  std::uint64_t first_;
  unsigned size_;
  std::vector<std::byte*> shared_;
  std::vector<Barrier> barriers_;
};

}  // namespace tandem::simt
