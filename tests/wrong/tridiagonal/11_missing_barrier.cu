// Wrong:   parallel cyclic reduction with one barrier per step: a thread may overwrite what its neighbours
//          still read.
// Caught:  the race check, and other schedules.

#include "lib/ops/tridiagonal/pivot.h"
#include "tandem/device/tridiagonal.cuh"

namespace tandem {
namespace {

constexpr int kMostRows = 1024;

template <class C>
__global__ void missing_barrier_system(typename C::Args a) {
  using T = typename C::T;
  const int n = int(a.n), i = int(threadIdx.x);
  const std::int64_t m = a.start(a.matrix, blockIdx.x) + i * a.matrix.row;
  const std::int64_t v = a.start(a.vector, blockIdx.x) + i * a.vector.row;
  auto rows = dynamic_shared<UnitRow<T>>();
  UnitRow<T> row{};
  bool all_usable = true;
  if (i < n) {
    row = {i > 0 ? a.lower[m] : T(0), i + 1 < n ? a.upper[m] : T(0), a.rhs[v]};
    all_usable = divide(row, a.diag[m]);
  }
  for (int distance = 1; distance < n; distance *= 2) {
    if (i < n) rows[i] = row;
    __syncthreads();
    const UnitRow<T> before = i < n && i >= distance ? UnitRow<T>(rows[i - distance]) : UnitRow<T>{};
    const UnitRow<T> after = i + distance < n ? UnitRow<T>(rows[i + distance]) : UnitRow<T>{};
    all_usable &= divide(row, reduce_row(row, before, after));
  }
  if (i < n) a.x[v] = row.rhs;
  if (i < n && !all_usable) report_pivot(a, blockIdx.x, i);
}

template <class C>
void missing_barrier(const typename C::Args& a, Context& ctx) {
  launch(ctx, a.count, int(ceil_div(a.n, 32) * 32), std::size_t(a.n) * sizeof(UnitRow<typename C::T>),
         missing_barrier_system<C>, a);
}

REGISTER(
    Tridiagonal, missing_barrier, .note = "wrong on purpose",
    .refuses = [](const Tridiagonal::Shape& shape, CaseId id) {
      return shape.systems.n > kMostRows ? "too long" : Tridiagonal::refuse_list_and_pivot(shape, id);
    })

}  // namespace
}  // namespace tandem
