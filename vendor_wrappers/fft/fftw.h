#pragma once
// FFTW of both precisions, loaded by the first call that needs it: it is under the GPL, and no part of the library.

#include <dlfcn.h>
#include <fftw3.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <type_traits>

#include "lib/ops/fft/contract.h"

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

inline std::string fftw_refuses(const Fft::Shape&, CaseId id) {
  const bool there = id.type == Type::f32 ? fftw_library<float>() : fftw_library<double>();
  return there ? "" : "needs FFTW, which cannot be loaded (install libfftw3-dev)";
}

template <class T>
using FftwNumber = std::conditional_t<std::is_same_v<T, float>, fftwf_complex, fftw_complex>;

inline bool fftw_aligned(const void* in, const void* out) {
  return (reinterpret_cast<std::uintptr_t>(in) | reinterpret_cast<std::uintptr_t>(out)) % 16 == 0;
}

/// A plan of a call's shape, measured for up to a microsecond for each number; null where there is none.
template <class Args, class T = decltype(Args::factor)>
auto fftw_plan_of(const Args& a, int threads, std::mutex& planner) {
  using Number = FftwNumber<T>;
  constexpr double kSecondsPerNumber = 1e-6, kMostSeconds = 2;
  const auto memory = [&](std::int64_t distance) {
    void* const taken =
        FFTW(T, malloc)(static_cast<std::size_t>((a.batch - 1) * distance + a.n) * sizeof(Number));
    if (!taken) throw std::bad_alloc();
    return std::unique_ptr<Number, void (*)(void*)>(static_cast<Number*>(taken), FFTW(T, free));
  };
  const std::lock_guard lock(planner);
  // Measuring overwrites, so it gets memory of its own.
  const bool in_place = a.in == a.out;
  const auto in = memory(a.in_distance);
  const auto out =
      in_place ? std::unique_ptr<Number, void (*)(void*)>(nullptr, FFTW(T, free)) : memory(a.out_distance);
  const fftw_iodim64 points{a.n, 1, 1}, rows{a.batch, a.in_distance, a.out_distance};
  const double numbers = static_cast<double>(a.n) * static_cast<double>(a.batch);
  FFTW(T, plan_with_nthreads)(threads);
  FFTW(T, set_timelimit)(std::min(kSecondsPerNumber * numbers, kMostSeconds));
  const unsigned flags = FFTW_MEASURE | (fftw_aligned(a.in, a.out) ? 0u : unsigned{FFTW_UNALIGNED});
  return FFTW(T, plan_guru64_dft)(1, &points, 1, &rows, in.get(), in_place ? in.get() : out.get(),
                                  a.inverse ? FFTW_BACKWARD : FFTW_FORWARD, flags);
}

/// Runs a call by a plan that is measured when its shape first comes, and kept with the context.
template <class C>
void fftw_rows(const typename C::Args& a, Context& ctx, int threads, const char* name) {
  using T = typename C::T;
  using Number = FftwNumber<T>;
  using Plan = std::remove_pointer_t<std::conditional_t<std::is_same_v<T, float>, fftwf_plan, fftw_plan>>;
  // Length, batch, distances, whether in place, direction, whether both begin at 16 bytes as FFTW's own memory does.
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, bool, bool, bool>;
  static std::mutex planner;  // FFTW's planner is for one thread at a time

  auto* const in = reinterpret_cast<Number*>(const_cast<Complex<T>*>(a.in));
  auto* const out = reinterpret_cast<Number*>(a.out);
  const std::string key = std::string(name) + (sizeof(T) == 4 ? " f32" : " f64");
  auto& plans = ctx.keep<std::map<Key, std::shared_ptr<Plan>>>(
      key, [] { return std::map<Key, std::shared_ptr<Plan>>(); });
  std::shared_ptr<Plan>& plan =
      plans[{a.n, a.batch, a.in_distance, a.out_distance, a.in == a.out, a.inverse, fftw_aligned(in, out)}];
  if (!plan) {
    const auto destroy = [](Plan* p) {
      const std::lock_guard lock(planner);
      FFTW(T, destroy_plan)(p);
    };
    plan = std::shared_ptr<Plan>(fftw_plan_of(a, threads, planner), destroy);
    if (!plan)
      throw Unavailable(std::string(ctx.last().implementation) + ": FFTW makes no plan of this shape");
  }
  FFTW(T, execute_dft)(plan.get(), in, out);
  if (a.factor == 1) return;  // FFTW leaves both directions as they are
  for (std::int64_t row = 0; row < a.batch; ++row) {
    Complex<T>* const first = a.out + row * a.out_distance;
    for (std::int64_t k = 0; k < a.n; ++k) first[k] = a.factor * first[k];
  }
}

}  // namespace tandem
