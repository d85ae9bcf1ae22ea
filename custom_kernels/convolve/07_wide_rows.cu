// Idea:    a block transforms rows there and back, as fused_mixed does, with the few passes of fft's wide. The last pass there
//          multiplies by the filter in registers; the first one back begins where it put the products.
// New:     against fused_mixed, radices up to 25; rows are loaded by the first pass and stored by the last one; longer rows.
// Expect:  the traffic of a copy; twice the exchanges of wide, and one more, bound it.
// Limits:  up to 10,000 numbers, of doubles 5,000, without prime factors above 7, two factors at least. Two buffers of shared
//          memory, also where wide has one.
// Source:  Good 1958, "The interaction algorithm and practical Fourier analysis"; Singleton 1969, "An algorithm for computing the
//          mixed radix fast Fourier transform".

#include "custom_kernels/fft/detail/wide_passes.cuh"
#include "lib/ops/convolve/contract.h"

namespace tandem {
namespace {

constexpr int kBuffers = 2;

template <int kMost, class Args, class T>
__global__ void __launch_bounds__(kMostWideThreads, (kWideBlocks<T, kMost>))
    convolve_wide_rows(const Args a, int rows, int places, const __grid_constant__ WidePlan plan,
                       const Complex<T>* roots) {
  const int tid = static_cast<int>(threadIdx.x), mine = tid / plan.threads, t = tid - mine * plan.threads;
  const std::int64_t row = std::int64_t{blockIdx.x} * rows + mine;
  const bool here = mine < rows && row < a.batch;
  const int buffer = rows * places, first = mine * places, second = first + buffer;
  const WideThread there{t, first, here};
  const SharedPart<T> products{plan.free_buffer() == 0 ? first : second};
  wide_passes<kMost>(
      plan, there, there, buffer, roots, [&](int j) { return a.load(row, j); },
      [&](int k, Complex<T> x) { products[k] = a.product(k, x); });
  __syncthreads();
  // Back, the first pass writes the buffer that the last one there has read.
  const WideThread back{t, first + second - products.begin, here};
  wide_passes<kMost>(
      plan, back, back, products.begin - back.begin, roots, [&](int k) { return products[k]; },
      [&](int j, Complex<T> y) { a.store(row, j, y); });
}

template <class C>
void wide_rows(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const WidePlan& plan = wide_plan<T>(ctx, a.n);
  const WideBlock<T> block(plan, a.batch, kBuffers);
  with_largest(plan, [&]<int kMost>() {
    launch(ctx, ceil_div(a.batch, block.rows), block.threads, block.shared_bytes(),
           convolve_wide_rows<kMost, typename C::Args, T>, a, block.rows, block.places, plan,
           plan.template roots<T>(ctx));
  });
}

std::string refuses(const Convolve::Shape& s, CaseId id) {
  return s.n == 0 || takes_wide(s.n, size_of(id.type)) ? ""
                                                       : "takes lengths of two factors or more up to 10000, "
                                                         "of doubles 5000, without prime factors above 7";
}

REGISTER(
    Convolve, wide_rows, .note = "there and back by radices to 25, in one launch", .depth = Convolve::levels,
    .refuses = refuses,
    .suits = [](const Convolve::Shape& s) { return s.n < 8 || !Fft::is_power_of_two(s.n); })

}  // namespace
}  // namespace tandem
