// Idea:    a block has a row in its registers, transforms it, multiplies it by the filter, and transforms it back before it leaves.
// New:     against three_launches, one read and one write of everything, in one launch. Nothing is put in order between the two
//          transforms: a thread holds numbers t + m · n/held behind the first as before it, and the second one starts there.
// Expect:  the traffic of a copy, and a third of what three launches take, as long as the exchanges of two transforms take no
//          longer. The filter is read by every block, from a cache.
// Limits:  powers of two from 8 to 16,384, of doubles to 8,192.
// Source:  Stockham 1966, "High-speed convolution and correlation"; Govindaraju and others 2008, "High performance discrete
//          Fourier transforms on graphics processors".

#include "custom_kernels/fft/detail/rows.cuh"
#include "lib/ops/convolve/contract.h"

namespace tandem {
namespace {

template <int kHeld, int kFirst, bool kLong, class Args, class T>
__global__ void __launch_bounds__((kRowThreads<T, kLong>), (kRowBlocks<T, kLong>))
    convolve_fused_rows(const Args a, int n, const Complex<T>* roots) {
  const auto back = [&](std::int64_t row, int t, int threads, SharedPart<T> line, auto& v) {
#pragma unroll
    for (int m = 0; m < kHeld; ++m) v[m] = a.product(t + m * threads, v[m]);
    transform_line<kFirst>(v, line, t, n, roots);
    if (row >= a.batch) return;
#pragma unroll
    for (int m = 0; m < kHeld; ++m) a.store(row, t + m * threads, v[m]);
  };
  transform_rows<kHeld, kFirst>(a, n, roots, back);
}

template <class C>
void fused_rows(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  using Args = typename C::Args;
  with_line(a.n, [&]<int kHeld, int kFirst>() {
    if (a.n <= kFewThreads * kHeld)
      launch_rows<kHeld>(ctx, a, convolve_fused_rows<kHeld, kFirst, false, Args, T>);
    else
      launch_rows<kHeld>(ctx, a, convolve_fused_rows<kHeld, kFirst, true, Args, T>);
  });
}

std::string refuses(const Convolve::Shape& s, CaseId id) {
  const std::int64_t longest = id.type == Type::f32 ? kLongestRow<float> : kLongestRow<double>;
  return s.n == 0 || (Fft::is_power_of_two(s.n) && s.n >= 8 && s.n <= longest)
             ? ""
             : "takes powers of two from 8 to 16384, of doubles to 8192";
}

REGISTER(Convolve, fused_rows, .note = "there and back in registers, in one launch",
         .depth = Convolve::levels, .refuses = refuses)

}  // namespace
}  // namespace tandem
