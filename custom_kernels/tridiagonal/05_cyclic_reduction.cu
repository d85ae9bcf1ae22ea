// Idea:    one block per system. Each step eliminates every other unknown that is left: log2(n) halvings lead
//          to one equation, log2(n) doublings back to all unknowns.
// New:     the rows of a system work at the same time, O(n) operations in O(log n) steps; a system stays in
//          shared memory, so 5 words per unknown move through global memory.
// Expect:  latency of 2 log2(n) barriers; strides of 2, 4, 8, … cause bank conflicts, and the last halvings
//          leave nearly all threads idle.
// Limits:  systems that fit into shared memory. Deterministic.
// Source:  Hockney 1965, "A fast direct solution of Poisson's equation using Fourier analysis"; Zhang, Cohen,
//          Owens 2010, "Fast tridiagonal solvers on the GPU".

#include <algorithm>
#include <bit>

#include "lib/ops/tridiagonal/pivot.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kMostThreads = 512;
constexpr std::int64_t kSharedBytes = 192 * 1024;

template <class T>
struct Row {
  T lower, diag, upper, rhs;
};

template <class C>
__global__ void cyclic_reduction_system(typename C::Args a) {
  using T = typename C::T;
  const int n = int(a.n);
  auto rows = dynamic_shared<Row<T>>();
  const std::int64_t m = a.start(a.matrix, blockIdx.x), v = a.start(a.vector, blockIdx.x);
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    rows[i] = {i > 0 ? a.lower[m + i * a.matrix.row] : T(0), a.diag[m + i * a.matrix.row],
               i + 1 < n ? a.upper[m + i * a.matrix.row] : T(0), a.rhs[v + i * a.vector.row]};
  }
  __syncthreads();
  int step = 1;
  for (; 2 * step - 1 < n; step *= 2) {
    for (int i = 2 * step - 1 + 2 * step * int(threadIdx.x); i < n; i += 2 * step * int(blockDim.x)) {
      const Row<T> before = rows[i - step], row = rows[i];
      const Row<T> after = i + step < n ? rows[i + step] : Row<T>{0, 1, 0, 0};
      const T k = row.lower / before.diag, l = row.upper / after.diag;
      rows[i] = {-k * before.lower, row.diag - k * before.upper - l * after.lower, -l * after.upper,
                 row.rhs - k * before.rhs - l * after.rhs};
    }
    __syncthreads();
  }
  int failed = n;
  for (; step >= 1; step /= 2) {
    for (int i = step - 1 + 2 * step * int(threadIdx.x); i < n; i += 2 * step * int(blockDim.x)) {
      const Row<T> row = rows[i];
      if (!usable(row.diag)) failed = i;
      T d = row.rhs;  // from here on the right-hand side of a row that is done is its solution
      if (i >= step) d -= row.lower * rows[i - step].rhs;
      if (i + step < n) d -= row.upper * rows[i + step].rhs;
      rows[i].rhs = d / row.diag;
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x) a.x[v + i * a.vector.row] = rows[i].rhs;
  if (failed < n) report_first_pivot(a, blockIdx.x, failed);
}

template <class C>
void cyclic_reduction(const typename C::Args& a, Context& ctx) {
  const auto threads = std::clamp(int(std::bit_ceil(std::uint64_t(a.n)) / 2), 32, kMostThreads);
  launch(ctx, a.count, threads, std::size_t(a.n) * sizeof(Row<typename C::T>), cyclic_reduction_system<C>, a);
}

std::string refuses(const Tridiagonal::Shape& shape, CaseId id) {
  if (shape.systems.n > kSharedBytes / 4 / std::int64_t(size_of(id.type)))
    return "the system does not fit into shared memory";
  return Tridiagonal::refuse_list_and_pivot(shape, id);
}

REGISTER(Tridiagonal, cyclic_reduction, .note = "one block per system, halving in shared memory",
         .refuses = refuses)

}  // namespace
}  // namespace tandem
