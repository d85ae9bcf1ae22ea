// Idea:    a block takes a row into shared memory, makes all passes there and writes it once.
// New:     against passes, one read and one write of global memory in one launch; passes wait for a barrier instead.
// Expect:  the traffic of a copy; then each level's two loads and two stores of shared memory bound it.
// Limits:  powers of two from 2 on, up to 4,096. Two numbers of a thread between
//          two barriers is little work; short rows leave most of a block idle; writes of the first passes meet in few banks.
// Source:  Govindaraju and others 2008, "High performance discrete Fourier transforms on graphics processors".

#include <algorithm>

#include "custom_kernels/fft/detail/shared_part.cuh"
#include "custom_kernels/fft/detail/stockham.h"
#include "lib/ops/fft/constants.h"

namespace tandem {
namespace {

constexpr int kMostThreads = 512;
constexpr int kMost = 4096;  // numbers of a row: two buffers must fit

template <class Args, class T>
__global__ void fft_shared(const Args a, int n, const Complex<T>* roots) {
  const std::int64_t row = blockIdx.x;
  const int first = static_cast<int>(threadIdx.x), step = static_cast<int>(blockDim.x);
  SharedPart<T> from{0}, to{n};
  for (int j = first; j < n; j += step) from[j] = a.load(row, j);
  for (int stride = 1; stride < n; stride *= 2) {
    __syncthreads();
    for (int j = first; j < n / 2; j += step) stockham_butterfly<2>(from, to, n, stride, j, roots);
    const SharedPart<T> written = to;
    to = from, from = written;
  }
  __syncthreads();
  for (int k = first; k < n; k += step) a.store(row, k, from[k]);
}

template <class C>
void shared(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const int n = static_cast<int>(a.n), threads = std::min(n / 2, kMostThreads);
  launch(ctx, a.batch, threads, 2 * a.n * sizeof(Complex<T>), fft_shared<typename C::Args, T>, a, n,
         roots<T>(ctx, a.n));
}

std::string refuses(const Fft::Shape& s, CaseId id) {
  if (s.n == 1 || s.n > kMost) return "takes powers of two from 2 to 4096";
  return Fft::refuse_other_than_powers(s, id);
}

REGISTER(Fft, shared, .note = "radix 2 in shared memory, a block for each row", .depth = Fft::levels,
         .refuses = refuses)

}  // namespace
}  // namespace tandem
