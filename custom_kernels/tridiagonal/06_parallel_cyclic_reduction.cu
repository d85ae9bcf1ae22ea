// Idea:    every row, not only every other one, eliminates its two neighbours: one system becomes two of half
//          the length, then four, until after log2(n) steps each row has one unknown.
// New:     against cyclic_reduction, no way back and no idle threads: half as many steps, of n rows each.
// Expect:  n log2(n) operations instead of n, but no bank conflicts; faster where a block waits for its steps
//          rather than for its arithmetic.
// Limits:  one thread per row, so n ≤ 1024. Where the diagonal only just dominates (−1, 2, −1) the last steps
//          subtract nearly equal numbers (cancellation), and the residual grows with n beyond that of other
//          steps. Deterministic.
// Source:  Hockney, Jesshope 1981, "Parallel Computers"; Zhang, Cohen, Owens 2010, "Fast tridiagonal solvers
//          on the GPU".

#include "lib/ops/tridiagonal/pivot.h"
#include "tandem/device/tridiagonal.cuh"

namespace tandem {
namespace {

constexpr int kMostRows = 1024;

template <class C>
__global__ void parallel_cyclic_reduction_system(typename C::Args a) {
  using T = typename C::T;
  const int n = int(a.n), i = int(threadIdx.x);
  const std::int64_t m = a.start(a.matrix, blockIdx.x) + i * a.matrix.row;
  const std::int64_t v = a.start(a.vector, blockIdx.x) + i * a.vector.row;
  auto rows = dynamic_shared<UnitRow<T>>();  // of the step before
  UnitRow<T> row{};
  bool all_usable = true;
  if (i < n) {
    row = {i > 0 ? a.lower[m] : T(0), i + 1 < n ? a.upper[m] : T(0), a.rhs[v]};
    all_usable = divide(row, a.diag[m]);
  }
  for (int distance = 1; distance < n; distance *= 2) {
    if (i < n) rows[i] = row;
    __syncthreads();
    const UnitRow<T> before = i < n && i >= distance ? rows[i - distance] : UnitRow<T>{};
    const UnitRow<T> after = i + distance < n ? rows[i + distance] : UnitRow<T>{};
    __syncthreads();
    all_usable &= divide(row, reduce_row(row, before, after));
  }
  if (i < n) a.x[v] = row.rhs;
  if (i < n && !all_usable) report_first_pivot(a, blockIdx.x, i);
}

template <class C>
void parallel_cyclic_reduction(const typename C::Args& a, Context& ctx) {
  const int threads = int(ceil_div(a.n, 32) * 32);
  launch(ctx, a.count, threads, std::size_t(a.n) * sizeof(UnitRow<typename C::T>),
         parallel_cyclic_reduction_system<C>, a);
}

std::string refuses(const Tridiagonal::Shape& shape, CaseId id) {
  if (shape.systems.n > kMostRows) return "takes up to 1024 rows, a thread for each";
  return Tridiagonal::refuse_list_and_pivot(shape, id);
}

REGISTER(Tridiagonal, parallel_cyclic_reduction, .note = "one block per system, every row in every step",
         .refuses = refuses, .loses_digits_on = "laplacian")

}  // namespace
}  // namespace tandem
