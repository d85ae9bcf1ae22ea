// Idea:    passes of radix 8, 4, 2, 3, 5 and 7 in registers, between them shared memory.
// New:     against shared, any length of these primes; three levels of radix 2 between two barriers; a block takes as many short
//          rows as give its threads work. Quotients by strides, which no compiler knows, are products with reciprocals. The passes are in detail/mixed.cuh, since other operations have use for them.
// Expect:  a third of the barriers and of the shared memory's traffic of radix 2.
// Limits:  up to 4,096 points. Numbers go through shared memory in every pass.
// Source:  Singleton 1969, "An algorithm for computing the mixed radix fast Fourier transform", for radices 3, 5 and 7.

#include "custom_kernels/fft/detail/mixed.cuh"

namespace tandem {
namespace {

template <class Args, class T>
__global__ void fft_mixed(const Args a, int rows, const MixedPasses passes, const Complex<T>* roots) {
  const int n = passes.n;
  const std::int64_t row0 = std::int64_t{blockIdx.x} * rows;
  const int numbers = n * static_cast<int>(min(std::int64_t{rows}, a.batch - row0));
  const int first = static_cast<int>(threadIdx.x), step = static_cast<int>(blockDim.x);
  const MixedRows<T> loaded{{0}};
  load_rows(loaded, passes, numbers, [&](int row, int j) { return a.load(row0 + row, j); });
  const auto done = mixed_passes(loaded, {{line_size<T>(n * rows)}}, passes, numbers, roots);
  for (int i = first; i < numbers; i += step) {
    const int row = passes.by_n.quotient(i);
    a.store(row0 + row, i - row * n, done[i]);
  }
}

template <class C>
void mixed(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const MixedBlock<T> block(a.n, a.batch);
  const MixedPasses passes(a.n);
  launch(ctx, ceil_div(a.batch, block.rows), block.threads(), block.shared_bytes(),
         fft_mixed<typename C::Args, T>, a, block.rows, passes, passes.template roots<T>(ctx));
}

std::string refuses(const Fft::Shape& s, CaseId) {
  return s.n <= kLongestMixed && (s.n == 0 || Fft::is_smooth(s.n))
             ? ""
             : "takes lengths up to 4096 without prime factors above 7";
}

REGISTER(Fft, mixed, .note = "radix 8, 4, 2, 3, 5, 7 in shared memory, as many rows as fill a block",
         .depth = Fft::levels, .refuses = refuses)

}  // namespace
}  // namespace tandem
