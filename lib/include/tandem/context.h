#pragma once
// Where a call computes: the GPU or the CPU, its stream, and the memory that calls reuse. One context per
// thread.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/core/backend.h"
#include "tandem/export.h"

namespace tandem {

/// What the last call of a context ran, and why that path. Both texts live as long as the program.
struct LastCall {
  std::string_view implementation;  // "scan/custom/lookback"
  std::string_view why;             // "asked for with .use"
};

class TANDEM_API Context {
 public:
  /// The GPU if there is one, else the CPU.
  Context();
  static Context host(Allocator allocator = {});
  /// Device `index`; `stream` is a cudaStream_t that stays the caller's (without one the context makes its
  /// own, ordered with the default stream). Throws Unavailable without a GPU.
  static Context device(int index = 0, void* stream = nullptr, Allocator allocator = {});
  /// Device `index` with managed memory: nothing is copied to the device or back, pages move when a kernel or the CPU
  /// touches them. Slower than device(), also because the CPU waits for the device before it touches anything; it is
  /// there to measure that (tandem reproduce managed-memory). Take no more of it than the GPU has free. Throws
  /// Unavailable without a GPU or managed memory.
  static Context managed(int index = 0);
  Context(Context&&) noexcept;
  Context& operator=(Context&&) noexcept;
  ~Context();

  Place place() const { return backend_->place(); }
  std::string description() const { return backend_->description(); }
  void synchronize() { backend_->synchronize(); }
  const LastCall& last() const { return last_; }

  // --- for implementations

  void* stream() const { return backend_->stream(); }
  int multiprocessors() const { return backend_->multiprocessors(); }
  const std::shared_ptr<Backend>& backend() const { return backend_; }

  /// Scratch memory that lives until the end of the call. The same sequence of requests gets the same memory
  /// again, so a call of a known shape allocates nothing. Contents are undefined. O(1).
  template <class T>
  T* scratch(std::int64_t count) {
    return static_cast<T*>(scratch_bytes(count, sizeof(T)));
  }

  /// Memory that belongs to `key` for the context's life, zeroed when first asked for and never shared:
  /// epochs and counters that kernels advance themselves. A larger request replaces it by a new zeroed block;
  /// the old one is kept, since a captured graph may hold it.
  template <class T>
  T* state(const char* key, std::int64_t count = 1) {
    return static_cast<T*>(state_bytes(key, count, sizeof(T)));
  }

  /// An object that belongs to `key` for the context's life, made when first asked for: a library's handle.
  template <class T, class Make>
  T& keep(std::string_view key, Make make) {
    std::shared_ptr<void>& slot = kept(key);
    if (!slot) slot = std::make_shared<T>(make());
    return *static_cast<T*>(slot.get());
  }

  /// Shared by nobody but the context: a weak pointer to it tells whether the context has ended.
  const std::shared_ptr<const void>& life() const { return life_; }

  /// How often this context took memory from its place: does not grow after the first call of a shape.
  std::size_t allocations() const { return blocks_.size(); }

  void begin_call(LastCall call);  // scratch starts anew
  void end_call() noexcept;
  /// The caller's memory, which kernels may touch until the call ends.
  void lend(const void* memory, std::size_t bytes);
  /// Fills scratch with NaN patterns from now on, so that what kernels never wrote shows.
  void poison_scratch(bool on) { poison_ = on; }

 private:
  struct Block {
    std::byte* memory;
    std::size_t bytes;
    std::string key;  // empty: scratch
  };
  explicit Context(std::shared_ptr<Backend> backend);
  void* scratch_bytes(std::int64_t count, std::size_t size);
  void* state_bytes(const char* key, std::int64_t count, std::size_t size);
  std::shared_ptr<void>& kept(std::string_view key);
  std::byte* take(std::size_t bytes, std::string_view key);

  std::shared_ptr<Backend> backend_;
  std::shared_ptr<const void> life_ = std::make_shared<char>();
  std::vector<Block> blocks_;
  std::vector<std::pair<std::string, std::shared_ptr<void>>> kept_;
  struct Piece {
    const void* memory;
    std::size_t bytes;
  };
  std::vector<Piece> exposed_;            // scratch of the running call and what was lent to it
  std::size_t current_ = 0, offset_ = 0;  // scratch: the block in use and how much of it is taken
  bool poison_ = false;
  LastCall last_;
};

}  // namespace tandem
