#pragma once
// What a context needs from the place it computes on: memory, copies, order and time. Two implementations:
// the host (host_backend.cpp) and a CUDA device (cuda_backend.cu, in device builds alone).

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "tandem/context.h"
#include "tandem/export.h"

namespace tandem {

class TANDEM_API Backend {
 public:
  virtual ~Backend() = default;
  virtual Place place() const = 0;
  virtual std::string description() const = 0;  // "NVIDIA H200", "AMD EPYC, 2 threads"
  virtual int multiprocessors() const = 0;
  virtual int architecture() const { return 0; }  // compute capability, 90 for 9.0
  /// What tells this GPU from all others, of other machines too; empty on the host.
  virtual std::string unit() const { return {}; }
  /// Size of the last level: smaller working sets do not measure memory.
  virtual std::size_t cache_bytes() const = 0;
  virtual void* stream() const { return nullptr; }

  virtual void* allocate(std::size_t bytes) = 0;  // 256-byte aligned; throws OutOfMemory
  virtual void release(void* memory, std::size_t bytes) noexcept = 0;
  /// In stream order, between any two places.
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
  virtual void fill(void* memory, int byte, std::size_t bytes) = 0;
  /// `lines` pieces of `bytes` each, so far apart; in stream order, between any two places.
  virtual void copy_lines(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                          std::size_t bytes, std::size_t lines) {
    for (std::size_t line = 0; line < lines; ++line)
      copy(static_cast<std::byte*>(to) + line * to_pitch,
           static_cast<const std::byte*>(from) + line * from_pitch, bytes);
  }
  virtual void wait() {}  // for everything queued
  /// Marks what is queued so far; is_past_mark() tells, from any thread, whether it is done.
  virtual void mark() {}
  virtual bool is_past_mark() const noexcept { return true; }
  /// Waits, then rethrows errors recorded by kernels (see after_waiting).
  void synchronize() {
    wait();
    for (const auto& [key, check] : checks_) check();
  }
  /// From now on every synchronize() ends by calling `check`, which may throw; one for each key.
  void after_waiting(const char* key, std::function<void()> check) {
    checks_.try_emplace(key, std::move(check));
  }
  void forget_checks() noexcept { checks_.clear(); }

  /// Kernels on the executor may touch these bytes until they are concealed as often as exposed. What is
  /// allocated and not exposed are guard zones.
  virtual void expose(const void*, std::size_t) {}
  virtual void conceal(const void*, std::size_t) noexcept {}

  /// Empty when kernels of this place can use the address, else what is wrong with it.
  virtual std::string why_not(const void*) const { return {}; }

  /// Seconds that `work` takes here: wall time on the host, the time between two events on a device.
  virtual double seconds(const std::function<void()>& work) = 0;
  /// Records `work` once and returns what replays it: a CUDA graph on a device, `work` itself on the host.
  virtual std::function<void()> record(std::function<void()> work) { return work; }
  /// Around every call: makes the device current (the caller's own is restored) and names the call for
  /// profilers.
  virtual void enter(const char*) {}
  virtual void leave() noexcept {}

 private:
  std::map<std::string, std::function<void()>> checks_;
};

/// `multiprocessors` is what kernels on the executor are told: few, so that grids of "one wave" stay small there.
TANDEM_API std::shared_ptr<Backend> make_host_backend(Allocator* allocator = nullptr,
                                                      int multiprocessors = 4);
/// Throws Unavailable with the reason where there is no GPU or no device code.
TANDEM_API std::shared_ptr<Backend> make_device_backend(int index, void* stream,
                                                        Allocator* allocator = nullptr);
/// The same with managed memory; see Context::managed. Throws Unavailable where the GPU has none, too.
TANDEM_API std::shared_ptr<Backend> make_managed_backend(int index);
/// How many GPUs this process sees; 0 where there is no device code, too.
TANDEM_API int device_count();
/// Compute capability of device 0 as a number, 90 for 9.0; 0 without a GPU.
TANDEM_API int device_architecture();

}  // namespace tandem
