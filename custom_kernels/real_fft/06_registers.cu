// Idea:    fft's registers and sixteen, with pairs of real numbers in the threads' registers; Z goes through shared memory once
//          more, where each thread finds both numbers of the results it splits.
// New:     against shared, two or three exchanges in place of passes through shared memory, one buffer of it, and rows of up to
//          32,768 real numbers.
// Expect:  the traffic of a copy.
// Limits:  powers of two from 16 to 32,768, of doubles to 16,384. Back, both numbers of a pair are read by two threads.
// Source:  Cooley, Lewis, Welch 1970, "The fast Fourier transform algorithm: programming considerations in the calculation of
//          sine, cosine and Laplace transforms"; Govindaraju and others 2008, "High performance discrete Fourier transforms on
//          graphics processors".

#include "custom_kernels/fft/detail/rows.cuh"
#include "custom_kernels/real_fft/detail/ways.h"

namespace tandem {
namespace {

/// Z of a row, as its line of shared memory has it.
template <class T>
struct Line {
  SharedPart<T> part;
  __device__ const Complex<T>& operator[](std::int64_t i) const {
    return part[place_in_line<T>(static_cast<int>(i))];
  }
};

template <int kHeld, int kFirst, bool kLong, class Way, class T>
__global__ void __launch_bounds__((kRowThreads<T, kLong>), (kRowBlocks<T, kLong>))
    real_fft_registers(const Way way, int n, const Complex<T>* roots) {
  if (!way.splits()) return transform_rows<kHeld, kFirst>(way, n, roots);
  const auto split = [&](std::int64_t row, int t, int threads, SharedPart<T> line, auto& v) {
    __syncthreads();
#pragma unroll
    for (int m = 0; m < kHeld; ++m) line[place_in_line<T>(t + m * threads)] = v[m];
    __syncthreads();
    if (row >= way.batch) return;
    for (int k = t; k < way.pairs(); k += threads) way.split(row, k, Line<T>{line});
  };
  transform_rows<kHeld, kFirst>(way, n, roots, split);
}

template <class C>
void registers(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  using Way = PackedWay<typename C::Args>;
  const Way way(a, roots<T>(ctx, a.n));
  with_line(way.n, [&]<int kHeld, int kFirst>() {
    if (way.n <= kFewThreads * kHeld)
      launch_rows<kHeld>(ctx, way, real_fft_registers<kHeld, kFirst, false, Way, T>);
    else
      launch_rows<kHeld>(ctx, way, real_fft_registers<kHeld, kFirst, true, Way, T>);
  });
}

std::string refuses(const RealFft::Shape& s, CaseId id) {
  const std::int64_t longest = 2 * (id.type == Type::f32 ? kLongestRow<float> : kLongestRow<double>);
  return s.n == 0 || (Fft::is_power_of_two(s.n) && s.n >= 16 && s.n <= longest)
             ? ""
             : "takes powers of two from 16 to 32768, of doubles to 16384";
}

REGISTER(RealFft, registers, .note = "pairs in registers, radix 8 or 16, split from shared memory",
         .depth = RealFft::levels_or_convolution, .refuses = refuses)

}  // namespace
}  // namespace tandem
