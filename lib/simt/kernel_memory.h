#pragma once
// The memory that a kernel may touch, as one OS thread of the executor sees it: the block's shared memory,
// and the live memory of contexts. Everything else is an access out of bounds, unless it is the host
// program's own.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lib/core/live_memory.h"
#include "lib/simt/executor.h"

namespace tandem::simt {

/// The stack of the calling OS thread; a launch keeps its arguments there.
live_memory::Range stack_of_this_thread();

/// Where the static arrays of blocks in clusters lie, which is the same in all: each says where its neighbours' are.
struct SharedLayout {
  struct Array {
    std::size_t module;    // of its handle, which is another object on every OS thread
    std::ptrdiff_t place;  // of the handle in the module's thread-local memory
    std::size_t begin;     // in shared memory
  };
  std::size_t bytes = 0;  // of all arrays
  std::vector<Array> arrays;
};

class KernelMemory {
 public:
  KernelMemory();
  KernelMemory(const KernelMemory&) = delete;
  ~KernelMemory();

  /// For a launch with this number: nothing is placed in shared memory but what is dynamic, and what stands in
  /// `common`, a layout that several blocks have; nullptr: there is none.
  void begin_launch(std::uint64_t number, std::size_t dynamic_bytes,
                    const std::vector<live_memory::Range>& ranges, live_memory::Range launcher_stack,
                    SharedLayout* common);
  /// Poisons shared memory with NaN patterns.
  void begin_block();

  /// Addresses of shared elements; what is wrong with the index goes to `wrong`.
  void* element(SharedArray& array, std::int64_t index, std::int64_t count, std::size_t size,
                std::string& wrong);
  void* dynamic_element(std::int64_t index, std::size_t size, std::string& wrong) const;

  bool on_launcher_stack(const std::byte* address) const {
    return address >= launcher_stack_.begin && address < launcher_stack_.end;
  }
  /// The allocations that were touched last.
  const std::array<Unwatched::Range, 4>& last_ranges() const { return last_; }
  bool in_shared(const std::byte* address, std::size_t bytes) const {
    return in_shared(shared_, address, bytes);
  }
  /// In the shared memory of another block, laid out as this one, which begins at `shared`?
  bool in_shared(const std::byte* shared, const std::byte* address, std::size_t bytes) const {
    const auto offset = std::size_t(address - shared);
    return offset < kMaxSharedBytes && offset + bytes <= used();
  }
  std::byte* shared() const { return shared_; }
  enum class Place { global, shared, host, outside };
  /// Where an access goes. Shared: `offset` says where. Outside: `wrong` says what is near.
  struct Located {
    Place place;
    std::size_t offset = 0;
    std::string wrong;
  };
  Located locate(const std::byte* address, std::size_t bytes);

 private:
  std::size_t used() const { return (dynamic_bytes_ + 15) / 16 * 16 + layout_->bytes; }
  std::size_t begin_of(const SharedArray& array, std::size_t bytes);
  bool is_host(const std::byte* address);
  std::string nearest(const std::byte* address) const;

  std::byte* shared_;  // dynamic first, then static arrays in the order in which they are touched
  std::size_t dynamic_bytes_ = 0;
  SharedLayout own_;  // its `arrays` are not listed: handles know their places
  SharedLayout* layout_ = &own_;
  std::uint64_t launch_ = 0;
  const std::vector<live_memory::Range>* ranges_ = nullptr;
  live_memory::Range launcher_stack_{};
  std::array<Unwatched::Range, 4> last_{};
  std::size_t oldest_ = 0;  // of last_
  std::vector<live_memory::Range> host_;
};

}  // namespace tandem::simt
