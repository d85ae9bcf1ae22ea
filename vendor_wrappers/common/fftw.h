#pragma once
// FFTW of both precisions, loaded by the first call that needs it: it is under the GPL, and no part of the library.

#include <dlfcn.h>
#include <fftw3.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>

#include "lib/core/registry.h"
#include "tandem/context.h"

namespace tandem {

template <class T>
inline constexpr const char* kFftwFile =
    std::is_same_v<T, float> ? "libfftw3f_threads.so.3" : "libfftw3_threads.so.3";

/// The library with its threads; null where it cannot be loaded.
template <class T>
void* fftw_library() {
  static void* const library = [] {
    void* loaded = dlopen(kFftwFile<T>, RTLD_NOW | RTLD_LOCAL);
    const auto start =
        loaded ? dlsym(loaded, std::is_same_v<T, float> ? "fftwf_init_threads" : "fftw_init_threads")
               : nullptr;
    return start && reinterpret_cast<int (*)()>(start)() ? loaded : nullptr;
  }();
  return library;
}

/// FFTW(T, execute_dft): this function of the library for T, for a call that fftw_refuses() does not refuse.
#define FFTW(T, function)                                                                                 \
  [] {                                                                                                    \
    using Single = decltype(&fftwf_##function);                                                           \
    using Double = decltype(&fftw_##function);                                                            \
    static const auto found =                                                                             \
        reinterpret_cast<std::conditional_t<std::is_same_v<T, float>, Single, Double>>(                   \
            dlsym(fftw_library<T>(), std::is_same_v<T, float> ? "fftwf_" #function : "fftw_" #function)); \
    return found;                                                                                         \
  }()

template <class Shape>
std::string fftw_refuses(const Shape&, CaseId id) {
  const bool there = id.type == Type::f32 ? fftw_library<float>() : fftw_library<double>();
  return there ? "" : "needs FFTW, which cannot be loaded (install libfftw3-dev)";
}

template <class T>
using FftwNumber = std::conditional_t<std::is_same_v<T, float>, fftwf_complex, fftw_complex>;
template <class T>
using FftwPlan = std::remove_pointer_t<std::conditional_t<std::is_same_v<T, float>, fftwf_plan, fftw_plan>>;

inline bool fftw_aligned(const void* in, const void* out) {
  return (reinterpret_cast<std::uintptr_t>(in) | reinterpret_cast<std::uintptr_t>(out)) % 16 == 0;
}
/// Of a plan for arrays that are aligned, or not.
inline unsigned fftw_flags(bool aligned) { return FFTW_MEASURE | (aligned ? 0u : unsigned{FFTW_UNALIGNED}); }

/// FFTW's planner is for one thread at a time.
inline std::mutex& fftw_planner() {
  static std::mutex planner;
  return planner;
}

/// Measuring overwrites, so it gets memory of its own: `size` parts of numbers.
template <class T>
std::unique_ptr<T, void (*)(void*)> fftw_memory(std::int64_t size) {
  void* const taken = FFTW(T, malloc)(static_cast<std::size_t>(size) * sizeof(T));
  if (!taken) throw std::bad_alloc();
  return {static_cast<T*>(taken), FFTW(T, free)};
}

/// The plan of a call's shape: made by make() when it first comes, measured for up to a microsecond for each of `numbers`, and
/// kept with the context. `name` tells wrappers apart.
template <class T, class Key, class Make>
FftwPlan<T>* fftw_plan_of(Context& ctx, const std::string& name, const Key& shape, int threads,
                          double numbers, Make make) {
  using Plan = FftwPlan<T>;
  using Plans = std::map<Key, std::shared_ptr<Plan>>;
  constexpr double kSecondsPerNumber = 1e-6, kMostSeconds = 2;
  auto& plans = ctx.keep<Plans>(name + (sizeof(T) == 4 ? " f32" : " f64"), [] { return Plans(); });
  std::shared_ptr<Plan>& plan = plans[shape];
  if (!plan) {
    const auto measured = [&] {
      const std::lock_guard lock(fftw_planner());
      FFTW(T, plan_with_nthreads)(threads);
      FFTW(T, set_timelimit)(std::min(kSecondsPerNumber * numbers, kMostSeconds));
      return make();
    };
    const auto destroy = [](Plan* p) {
      const std::lock_guard lock(fftw_planner());
      FFTW(T, destroy_plan)(p);
    };
    // Where no memory is left for the pointer, it destroys the plan: the planner must be free then.
    if (Plan* const made = measured()) plan = std::shared_ptr<Plan>(made, destroy);
  }
  if (!plan) throw Unavailable(std::string(ctx.last().implementation) + ": FFTW makes no plan of this shape");
  return plan.get();
}

}  // namespace tandem
