#pragma once
// Where a call computes: the GPU or the CPU, its stream, and the memory that calls reuse. One context per
// thread.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tandem/error.h"
#include "tandem/export.h"

namespace tandem {

/// What computes: the CPU, a CUDA device, or the SIMT executor, which runs CUDA kernels on the CPU and in its
/// memory.
enum class Place : std::uint8_t { host, device, simt };
TANDEM_API const char* name(Place place);

/// Why Context::device() would fail; empty where it would not.
TANDEM_API std::string why_no_device();

/// The user's own memory resource (RMM, cudaMallocAsync, a pool). It must outlive the contexts and arrays
/// that use it.
class TANDEM_API Allocator {
 public:
  virtual ~Allocator() = default;
  /// Memory of the context's place, aligned to 256 bytes, or nullptr where there is none.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* memory, std::size_t bytes) noexcept = 0;
};

/// What the last call of a context ran, and why that path. Both texts live as long as the program.
struct LastCall {
  std::string_view implementation;  // "scan/custom/lookback"
  std::string_view why;             // "asked for with .use"
};

class TANDEM_API Context {
 public:
  /// The GPU if there is one, else the CPU.
  Context();
  static Context host(Allocator* allocator = nullptr);
  /// Device `index`; `stream` is a cudaStream_t that stays the caller's (without one the context makes its
  /// own, ordered with the default stream). Throws Unavailable without a GPU.
  static Context device(int index = 0, void* stream = nullptr, Allocator* allocator = nullptr);
  /// Device `index` with managed memory: nothing is copied to the device or back, pages move when a kernel or
  /// the CPU touches them. Slower than device(), also because the CPU waits for the device before it touches
  /// anything; it is there to measure that (tandem reproduce managed-memory). Take no more of it than the GPU
  /// has free. Throws Unavailable without a GPU or managed memory.
  static Context managed(int index = 0);
  /// A context that was moved from can be assigned to and destroyed; everything else throws InvalidArgument.
  Context(Context&&) noexcept;
  Context& operator=(Context&&) noexcept;
  ~Context();

  Place place() const;
  std::string description() const;  // "NVIDIA H200", "AMD EPYC, 2 threads"
  /// Waits for everything queued, then throws what kernels recorded as wrong (SingularSystem).
  void synchronize();
  LastCall last() const;

  // --- for kernels, one's own too

  void* stream() const;         // cudaStream_t; null on the host
  int multiprocessors() const;  // of the device; a small number on the host, for the executor
  int architecture() const;     // compute capability, 90 for 9.0; 0 on the host

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
  T* state(std::string_view key, std::int64_t count = 1) {
    return static_cast<T*>(state_bytes(key, count, sizeof(T)));
  }

  /// An object that belongs to `key` for the context's life, made when first asked for: a library's handle.
  template <class T, class Make>
  T& keep(std::string_view key, Make make) {
    Kept& slot = kept(key);
    if (!slot.object) {
      slot.object = detail::translated([&] { return new T(make()); });
      slot.destroy = [](void* object) { delete static_cast<T*>(object); };
    }
    return *static_cast<T*>(slot.object);
  }

  /// Copies between any two places, and fills memory of this one, in stream order.
  void copy(void* to, const void* from, std::size_t bytes);
  void fill(void* memory, int byte, std::size_t bytes);

  /// How often this context took memory from its place: does not grow after the first call of a shape.
  std::size_t allocations() const;

  struct Impl;  // lib/core/context_impl.h
  /// InvalidArgument for a context that was moved from.
  Impl& impl() const {
    if (!impl_) refuse_moved_from();
    return *impl_;
  }

 private:
  struct Kept {
    void* object;
    void (*destroy)(void*);
  };
  explicit Context(Impl* impl) : impl_(impl) {}
  void* scratch_bytes(std::int64_t count, std::size_t size);
  void* state_bytes(std::string_view key, std::int64_t count, std::size_t size);
  Kept& kept(std::string_view key);
  [[noreturn]] static void refuse_moved_from();

  Impl* impl_;  // null once moved from
};

namespace detail {
/// While an entry point checks its arguments: the memory that it lent to the call is forgotten where the call does
/// not come about.
class TANDEM_API Lending {
 public:
  explicit Lending(Context& ctx) : impl_(ctx.impl()) {}
  Lending(const Lending&) = delete;
  ~Lending();

 private:
  Context::Impl& impl_;
};
}  // namespace detail

/// A call of one's own kernels: scratch starts anew, the device is current (the caller's own is restored),
/// and errors and profilers name it. `name` is a literal. Unavailable where the context computes on the host,
/// unless the kernels run on the executor.
class TANDEM_API CallScope {
 public:
#ifdef TANDEM_SIMT
  CallScope(Context& ctx, std::string_view name) : CallScope(ctx, name, Place::simt) {}
#else
  CallScope(Context& ctx, std::string_view name) : CallScope(ctx, name, Place::device) {}
#endif
  CallScope(Context& ctx, std::string_view name, Place place);
  CallScope(const CallScope&) = delete;
  ~CallScope();

 private:
  Context::Impl& impl_;
};

}  // namespace tandem
