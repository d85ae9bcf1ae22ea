// Idea:    the few passes of fft's wide on pairs of real numbers. Forward the last one leaves Z in the buffer that it does not read,
//          where each thread finds both numbers of the results it splits; back a thread joins both numbers before the first one.
// New:     against shared, radices up to 25; rows are loaded by the first pass or, back, stored by the last one; longer rows.
// Expect:  the traffic of a copy.
// Limits:  half of an even length, or an odd one, up to 10,000, of doubles 5,000, without prime factors above 7, two factors at
//          least. Two buffers of shared memory, one exchange more than wide.
// Source:  Good 1958, "The interaction algorithm and practical Fourier analysis"; Cooley, Lewis, Welch 1970, "The fast Fourier
//          transform algorithm: programming considerations in the calculation of sine, cosine and Laplace transforms".

#include "custom_kernels/fft/detail/wide_passes.cuh"
#include "custom_kernels/real_fft/detail/ways.h"

namespace tandem {
namespace {

/// Calls what(k) for the smaller number k of each pair of a thread.
template <class Way, class What>
__device__ void each_pair(const Way& way, const WidePlan& plan, const WideThread& thread, const What& what) {
  const int pairs = static_cast<int>(way.pairs());
  for (int k = thread.here ? thread.t : pairs; k < pairs; k += plan.threads) what(k);
}

template <int kMost, bool kInverse, bool kPairs, class Way, class T>
__global__ void __launch_bounds__(kMostWideThreads, (kWideBlocks<T, kMost>))
    real_fft_wide_rows(const Way of_both, int rows, int places, const __grid_constant__ WidePlan plan,
                       const Complex<T>* roots) {
  Way way = of_both;
  way.a.inverse = kInverse;  // the compiler leaves the other direction out
  const int tid = static_cast<int>(threadIdx.x), mine = tid / plan.threads, buffer = rows * places;
  const std::int64_t row = std::int64_t{blockIdx.x} * rows + mine;
  const WideThread thread{tid - mine * plan.threads, mine * places, mine < rows && row < way.batch};
  // Pairs lie in the buffer that the first pass does not write, or that the last one does not read.
  const SharedPart<T> z{thread.begin + (kInverse ? 1 : plan.free_buffer()) * buffer};
  if constexpr (kPairs && kInverse) {
    each_pair(way, plan, thread, [&](int k) { way.join(row, k, z); });
    __syncthreads();
  }
  wide_passes<kMost>(
      plan, thread, thread, buffer, roots,
      [&](int j) {
        if constexpr (kPairs && kInverse)
          return Complex<T>(z[j]);
        else
          return way.load(row, j);
      },
      [&](int k, Complex<T> x) {
        if constexpr (kPairs && !kInverse)
          z[k] = x;
        else
          way.store(row, k, x);
      });
  if constexpr (kPairs && !kInverse) {
    __syncthreads();
    each_pair(way, plan, thread, [&](int k) { way.split(row, k, z); });
  }
}

template <class C, bool kInverse, bool kPairs, class Way>
void transform(const Way& way, Context& ctx) {
  using T = typename C::T;
  const WidePlan& plan = wide_plan<T>(ctx, way.n);
  const WideBlock<T> block(plan, way.batch, kPairs ? 2 : plan.buffers());
  with_largest(plan, [&]<int kMost>() {
    launch(ctx, ceil_div(way.batch, block.rows), block.threads, block.shared_bytes(),
           real_fft_wide_rows<kMost, kInverse, kPairs, Way, T>, way, block.rows, block.places, plan,
           plan.template roots<T>(ctx));
  });
}

template <class C, bool kPairs, class Way>
void transform(const Way& way, Context& ctx) {
  way.a.inverse ? transform<C, true, kPairs>(way, ctx) : transform<C, false, kPairs>(way, ctx);
}

template <class C>
void wide_rows(const typename C::Args& a, Context& ctx) {
  if (a.n % 2 != 0)
    transform<C, false>(PlainWay(a), ctx);
  else
    transform<C, true>(PackedWay(a, roots<typename C::T>(ctx, a.n)), ctx);
}

std::string refuses(const RealFft::Shape& s, CaseId id) {
  return s.n == 0 || takes_wide(complex_length(s.n), size_of(id.type))
             ? ""
             : "takes odd lengths up to 10000 and even ones up to 20000, of doubles half of that, of two "
               "factors or more, without prime factors above 7";
}

REGISTER(
    RealFft, wide_rows, .note = "pairs by radices to 25, split from shared memory",
    .depth = RealFft::levels_or_convolution, .refuses = refuses,
    .suits = [](const RealFft::Shape& s) { return !Fft::is_power_of_two(s.n) || s.n < 128; })

}  // namespace
}  // namespace tandem
