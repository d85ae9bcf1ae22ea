// Idea:    a block takes rows into shared memory as pairs, makes all passes there (fft's mixed), and splits them from there.
// New:     against naive, n log2(n) operations, in one launch; even rows are half as long.
// Expect:  the traffic of a copy: half of what complex rows move. Then the passes of n/2 numbers, and one for the split.
// Limits:  half of an even length, or an odd one, up to 4,096 without prime factors above 7. Pairs of real
//          numbers are read one by one, since a row may begin at any of them.
// Source:  Cooley, Lewis, Welch 1970, "The fast Fourier transform algorithm: programming considerations in the calculation of
//          sine, cosine and Laplace transforms".

#include "custom_kernels/fft/detail/mixed.cuh"
#include "custom_kernels/real_fft/detail/ways.h"

namespace tandem {
namespace {

template <class Way, class T>
__device__ void store_rows(const Way& way, std::int64_t row0, int n, int numbers, MixedRows<T> done) {
  for (int i = static_cast<int>(threadIdx.x); i < numbers; i += static_cast<int>(blockDim.x))
    way.store(row0 + i / n, i % n, done[i]);
}
template <class Way, class T>
__device__ void split_rows(const Way& way, std::int64_t row0, int n, int rows, MixedRows<T> done) {
  const int pairs = static_cast<int>(way.pairs());
  for (int i = static_cast<int>(threadIdx.x); i < rows * pairs; i += static_cast<int>(blockDim.x))
    way.split(row0 + i / pairs, i % pairs, done + i / pairs * n);
}

template <class Way, class T>
__global__ void real_fft_shared(const Way way, int rows, const MixedPasses passes, const Complex<T>* roots) {
  const int n = passes.n;
  const std::int64_t row0 = std::int64_t{blockIdx.x} * rows;
  const int here = static_cast<int>(min(std::int64_t{rows}, way.batch - row0)), numbers = n * here;
  const MixedRows<T> loaded{{0}};
  load_rows(loaded, passes, numbers, [&](int row, int j) { return way.load(row0 + row, j); });
  const auto done = mixed_passes(loaded, {{line_size<T>(n * rows)}}, passes, numbers, roots);
  if constexpr (requires { way.pairs(); }) {
    if (way.splits()) return split_rows(way, row0, n, here, done);
  }
  store_rows(way, row0, n, numbers, done);
}

template <class C, class Way>
void transform(const Way& way, Context& ctx) {
  using T = typename C::T;
  const MixedBlock<T> block(way.n, way.batch);
  const MixedPasses passes(way.n);
  launch(ctx, ceil_div(way.batch, block.rows), block.threads(), block.shared_bytes(), real_fft_shared<Way, T>,
         way, block.rows, passes, passes.template roots<T>(ctx));
}

template <class C>
void shared(const typename C::Args& a, Context& ctx) {
  if (a.n % 2 == 0)
    transform<C>(PackedWay(a, roots<typename C::T>(ctx, a.n)), ctx);
  else
    transform<C>(PlainWay(a), ctx);
}

std::string refuses(const RealFft::Shape& s, CaseId) {
  const std::int64_t length = complex_length(s.n);
  return s.n == 0 || (length <= kLongestMixed && Fft::is_smooth(length))
             ? ""
             : "takes even lengths up to 8192 and odd ones up to 4096 without prime factors above 7";
}

REGISTER(RealFft, shared, .note = "pairs in shared memory, split from there, in one launch",
         .depth = RealFft::levels_or_convolution, .refuses = refuses)

}  // namespace
}  // namespace tandem
