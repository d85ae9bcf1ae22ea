// Idea:    a warp solves 32 neighbouring contiguous systems, one per lane. It loads tiles of 32 systems × 32
//          rows with lanes along the rows, runs Thomas with lanes along the systems, and stores solutions
//          along the rows again: shared memory transposes each tile.
// New:     against naive, every access is coalesced, and a thread has 32 rows in flight.
// Expect:  naive's 9 words per unknown, all at the bandwidth of a copy. Transposing each array in a pass of
//          its own, as published for grids, would move 19.
// Limits:  contiguous systems only. A warp solves 32 of them, so fewer than about ten thousand systems leave
//          the GPU idle. Deterministic.
// Source:  Ruetsch, Micikevicius 2009, "Optimizing matrix transpose in CUDA", for the tiles.

#include "lib/ops/tridiagonal/pivot.h"
#include "tandem/device/async_copies.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

constexpr int kRows = kWarp;  // rows of a tile

/// above, values: c′ and d′ of all rows, interleaved, n × count elements each.
template <class C>
__global__ void __launch_bounds__(kWarp)
    thomas_transposed_systems(typename C::Args a, typename C::T* above, typename C::T* values) {
  using T = typename C::T;
  __shared__ Shared<T, kWarp, kRows + 1> lower, diag, upper, rhs;
  const int lane = threadIdx.x;
  const std::int64_t first = std::int64_t(blockIdx.x) * kWarp, mine = first + lane;
  const int systems = int(min(a.count - first, std::int64_t(kWarp)));
  AsyncCopies<T, 4 * kWarp> copies;
  T c = 0, d = 0;
  std::int64_t failed = a.n;
  for (std::int64_t row = 0; row < a.n; row += kRows) {
    const int rows = int(min(a.n - row, std::int64_t(kRows)));
    const std::int64_t i = row + lane;
    for (int k = 0; k < systems && lane < rows; ++k) {
      const std::int64_t m = a.start(a.matrix, first + k) + i, v = a.start(a.vector, first + k) + i;
      copy_or_fill(copies, lower[k][lane], i > 0, a.lower + m, T(0));
      copies.copy(diag[k][lane], a.diag + m);
      copy_or_fill(copies, upper[k][lane], i + 1 < a.n, a.upper + m, T(0));
      copies.copy(rhs[k][lane], a.rhs + v);
    }
    copies.wait();
    __syncwarp();
    for (int k = 0; k < rows && lane < systems; ++k) {
      const T pivot = diag[lane][k] - lower[lane][k] * c;
      if (!usable(pivot) && failed == a.n) failed = row + k;
      const T r = T(1) / pivot;
      c = upper[lane][k] * r;
      d = (rhs[lane][k] - lower[lane][k] * d) * r;
      above[(row + k) * a.count + mine] = c;
      values[(row + k) * a.count + mine] = d;
    }
    __syncwarp();
  }
  if (failed < a.n) report_pivot(a, mine, failed);
  d = 0;  // c′ of the last row is 0
  for (std::int64_t row = (a.n - 1) / kRows * kRows; row >= 0; row -= kRows) {
    const int rows = int(min(a.n - row, std::int64_t(kRows)));
    for (int k = 0; k < rows && lane < systems; ++k) {
      copies.copy(upper[lane][k], above + (row + k) * a.count + mine);
      copies.copy(rhs[lane][k], values + (row + k) * a.count + mine);
    }
    copies.wait();
    for (int k = rows - 1; k >= 0 && lane < systems; --k) {
      d = rhs[lane][k] - upper[lane][k] * d;
      rhs[lane][k] = d;
    }
    __syncwarp();
    for (int k = 0; k < systems && lane < rows; ++k)
      a.x[a.start(a.vector, first + k) + row + lane] = rhs[k][lane];
    __syncwarp();
  }
}

template <class C>
void thomas_transposed(const typename C::Args& a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(a.n * a.count);
  auto* values = ctx.scratch<typename C::T>(a.n * a.count);
  launch(ctx, ceil_div(a.count, kWarp), kWarp, 0, thomas_transposed_systems<C>, a, above, values);
}

std::string refuses(const Tridiagonal::Shape& shape, CaseId id) {
  if (shape.systems.row != 1 && shape.systems.n > 1) return "takes contiguous systems only";
  return Tridiagonal::refuse_list_and_pivot(shape, id);
}

REGISTER(Tridiagonal, thomas_transposed, .note = "one thread per system, tiles transposed in shared memory",
         .refuses = refuses, .suits = Tridiagonal::suits_threads)

}  // namespace
}  // namespace tandem
