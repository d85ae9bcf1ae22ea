// Idea:    passes of radix 8, 4, 2, 3, 5 and 7 in registers, between them shared memory.
// New:     against shared, any length of these primes; three levels of radix 2 between two barriers; a block takes as many short
//          rows as give its threads work.
// Expect:  a third of the barriers and of the shared memory's traffic of radix 2.
// Limits:  up to 4,096 points. The radix is looked up in every pass, and places are divided by strides that no
//          compiler knows.
// Source:  Singleton 1969, "An algorithm for computing the mixed radix fast Fourier transform", for radices 3, 5 and 7.

#include <algorithm>

#include "custom_kernels/fft/detail/shared_part.cuh"
#include "custom_kernels/fft/detail/stockham.h"
#include "lib/ops/fft/constants.h"

namespace tandem {
namespace {

constexpr int kMostThreads = 256;
constexpr int kMost = 4096;     // numbers of a row: two buffers must fit
constexpr int kNumbers = 1024;  // of a block's rows where they are short

/// Rows of a block lie one behind the other in each buffer.
template <class Args, class T>
__global__ void fft_mixed(const Args a, int n, int rows, const Radices radices, const Complex<T>* roots) {
  const std::int64_t row0 = std::int64_t{blockIdx.x} * rows;
  const int numbers = n * static_cast<int>(min(std::int64_t{rows}, a.batch - row0));
  const int first = static_cast<int>(threadIdx.x), step = static_cast<int>(blockDim.x);
  SharedPart<T> from{0}, to{n * rows};
  for (int i = first; i < numbers; i += step) from[i] = a.load(row0 + i / n, i % n);
  int stride = 1;
  for (int pass = 0; pass < radices.count; ++pass) {
    __syncthreads();
    stockham_pass(radices.each[pass], from, to, n, stride, numbers, first, step, roots);
    stride *= radices.each[pass];
    const SharedPart<T> written = to;
    to = from, from = written;
  }
  __syncthreads();
  for (int i = first; i < numbers; i += step) a.store(row0 + i / n, i % n, from[i]);
}

template <class C>
void mixed(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const int n = static_cast<int>(a.n);
  const int rows = static_cast<int>(std::clamp<std::int64_t>(kNumbers / n, 1, a.batch));
  const int threads = std::clamp((n * rows / 8 + 31) / 32 * 32, 32, kMostThreads);
  launch(ctx, ceil_div(a.batch, rows), threads, 2 * a.n * rows * sizeof(Complex<T>),
         fft_mixed<typename C::Args, T>, a, n, rows, Radices(a.n), roots<T>(ctx, a.n));
}

std::string refuses(const Fft::Shape& s, CaseId) {
  return s.n <= kMost && (s.n == 0 || Fft::is_smooth(s.n))
             ? ""
             : "takes lengths up to 4096 without prime factors above 7";
}

REGISTER(Fft, mixed, .note = "radix 8, 4, 2, 3, 5, 7 in shared memory, as many rows as fill a block",
         .depth = Fft::levels, .refuses = refuses)

}  // namespace
}  // namespace tandem
