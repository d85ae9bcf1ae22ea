// Idea:    eight numbers stay in a thread's registers from the first pass to the last; threads exchange them through one
//          buffer of shared memory.
// New:     against mixed, the first and the last pass touch global memory alone; strides are powers of two; a place in 16 is
//          left free, so that no two lanes ask one bank for different words. The loop is in detail/line.cuh, since later steps
//          have use for it.
// Expect:  the bandwidth of the memory for rows of a few thousand numbers: log8(n) − 1 exchanges, each a write and a read of
//          shared memory.
// Limits:  powers of two from 8 to 4,096.
// Source:  Volkov, Kazian 2008, "Fitting FFT onto the G80 architecture"; Govindaraju and others 2008, "High performance discrete
//          Fourier transforms on graphics processors".

#include <algorithm>

#include "custom_kernels/fft/detail/line.cuh"
#include "lib/ops/fft/constants.h"

namespace tandem {
namespace {

constexpr int kThreads = 128;  // of a block, where rows are short

template <int kLast, class Args, class T>
__global__ void __launch_bounds__(kLongestLine / kHeld)
    fft_registers(const Args a, int n, const Complex<T>* roots) {
  const int threads = n / kHeld, line = static_cast<int>(threadIdx.x) / threads;
  const int t = static_cast<int>(threadIdx.x) % threads, lines = static_cast<int>(blockDim.x) / threads;
  const std::int64_t row = std::int64_t{blockIdx.x} * lines + line;
  Complex<T> v[kHeld]{};
#pragma unroll
  for (int m = 0; m < kHeld; ++m) {
    if (row < a.batch) v[m] = a.load(row, t + m * threads);
  }
  transform_line<kLast>(v, SharedPart<T>{line * line_size<T>(n)}, t, n, roots);
#pragma unroll
  for (int m = 0; m < kHeld; ++m) {
    if (row < a.batch) a.store(row, t + m * threads, v[m]);
  }
}

template <class C>
void registers(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const int n = static_cast<int>(a.n), threads = n / kHeld, lines = std::max(kThreads / threads, 1);
  with_last_radix(a.n, [&]<int kLast>() {
    launch(ctx, ceil_div(a.batch, lines), threads * lines,
           static_cast<std::size_t>(lines * line_size<T>(n)) * sizeof(Complex<T>),
           fft_registers<kLast, typename C::Args, T>, a, n, roots<T>(ctx, a.n));
  });
}

std::string refuses(const Fft::Shape& s, CaseId id) {
  if (s.n != 0 && (s.n < kHeld || s.n > kLongestLine)) return "takes powers of two from 8 to 4096";
  return Fft::refuse_other_than_powers(s, id);
}

REGISTER(Fft, registers, .note = "radix 8 in registers, one exchange between two passes",
         .depth = Fft::levels, .refuses = refuses)

}  // namespace
}  // namespace tandem
