// Idea:    radices up to 25 for lengths with other factors than two: 1,000 is 10 · 10 · 10, 3,125 is 25 · 25 · 5. Radices that are
//          products without a common factor need no roots within (Good). The passes are in detail/wide_passes.cuh.
// New:     against mixed, a pass or more less; the first one loads from global memory and the last one stores there; a thread
//          divides once for a butterfly, and places in shared memory are one addition each.
// Expect:  twice the speed of mixed, near the bandwidth of the memory.
// Limits:  up to 10,000 numbers, of doubles 5,000, without prime factors above 7, two factors at least. Threads of a warp that is
//          not filled idle.
// Source:  Good 1958, "The interaction algorithm and practical Fourier analysis"; Singleton 1969, "An algorithm for computing the
//          mixed radix fast Fourier transform".

#include "custom_kernels/fft/detail/wide_passes.cuh"

namespace tandem {
namespace {

template <int kMost, class Args, class T>
__global__ void __launch_bounds__(kMostWideThreads, (kWideBlocks<T, kMost>))
    fft_wide(const Args a, int rows, int places, const __grid_constant__ WidePlan plan,
             const Complex<T>* roots) {
  const int tid = static_cast<int>(threadIdx.x), mine = tid / plan.threads;
  const std::int64_t row = std::int64_t{blockIdx.x} * rows + mine;
  const WideThread thread{tid - mine * plan.threads, mine * places, mine < rows && row < a.batch};
  wide_passes<kMost>(
      plan, thread, thread, rows * places, roots, [&](int j) { return a.load(row, j); },
      [&](int k, Complex<T> x) { a.store(row, k, x); });
}

template <class C>
void wide(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const WidePlan& plan = wide_plan<T>(ctx, a.n);
  const WideBlock<T> block(plan, a.batch);
  with_largest(plan, [&]<int kMost>() {
    launch(ctx, ceil_div(a.batch, block.rows), block.threads, block.shared_bytes(),
           fft_wide<kMost, typename C::Args, T>, a, block.rows, block.places, plan,
           plan.template roots<T>(ctx));
  });
}

std::string refuses(const Fft::Shape& s, CaseId id) {
  return s.n == 0 || takes_wide(s.n, size_of(id.type)) ? ""
                                                       : "takes lengths of two factors or more up to 10000, "
                                                         "of doubles 5000, without prime factors above 7";
}

REGISTER(
    Fft, wide, .note = "radices to 25, the first pass from global memory and the last one to it",
    .depth = Fft::levels, .refuses = refuses,
    .suits = [](const Fft::Shape& s) { return !Fft::is_power_of_two(s.n) || s.n < 64; })

}  // namespace
}  // namespace tandem
