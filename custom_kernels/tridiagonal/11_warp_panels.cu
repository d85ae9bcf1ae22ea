// Idea:    a warp has a system of any length and takes it panel by panel: 32 runs of rows, as in warp_hybrid. What Thomas
//          hands from row to row, x = d′ − c′·(unknown after), is handed from panel to panel; on the way back the first
//          unknown of a panel is all that the panel before waits for.
// New:     against warp_hybrid, no longest system and no common length, so lists of systems are taken. Against naive, a
//          system that is longer than others keeps no lanes waiting, and every access coalesces.
// Expect:  5 words per unknown where a system fits a panel; else 9, as Thomas, but a panel at a time.
// Limits:  for systems whose rows are neighbours in memory; of a panel that a short system does not fill, the remaining
//          lanes work for nothing. Repeats bit for bit.
// Source:  Wang 1981, "A parallel method for tridiagonal equations", for the runs; Thomas 1949 between panels.

#include "custom_kernels/tridiagonal/detail/chunk.cuh"
#include "tandem/device/warp_exchange.cuh"

namespace tandem {
namespace {

constexpr int kWarps = 4;  // of a block; they have nothing to do with each other
constexpr int kRows = 8;   // of a lane
constexpr int kPanel = kRows * kWarp;

constexpr std::int64_t kFewestRows = 64;  // of systems of one length

/// above: c′ of all rows but those of the last panels, as the systems lie.
template <class C>
__global__ void __launch_bounds__(kWarps* kWarp)
    warp_panels_systems(typename C::Args a, typename C::T* above) {
  using T = typename C::T;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const std::int64_t system = std::int64_t(blockIdx.x) * kWarps + warp;
  if (system >= a.count) return;
  const auto [m, v, n] = a.locate(system);
  above += a.offsets ? m : system * n;
  const WarpTile<T, kRows> tile{warp * WarpTile<T, kRows>::kSize};
  const Row<T> outside{0, -1, 0};  // the first unknown of the next panel, as a row: x − x = 0
  Row<T> carry{0, 0, 0};           // the panel before: its last unknown, by the first one of this panel
  T first;                         // unknown of the panel
  std::int64_t panel = 0;
  for (;; panel += kPanel) {
    T lower[kRows], across_diag[kRows], upper[kRows], rhs[kRows], diag[kRows];
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const std::int64_t row = panel + k * kWarp + lane;
      const bool inside = row < n;
      lower[k] = inside && row > 0 ? a.lower[m + row] : T(0);
      across_diag[k] = inside ? a.diag[m + row] : T(1);
      upper[k] = row + 1 < n ? a.upper[m + row] : T(0);
      rhs[k] = inside ? a.rhs[v + row] : T(0);
    }
    Chunk<T, kRows> chunk;
    tile.to_runs(lower, chunk.lower);
    tile.to_runs(across_diag, diag);
    tile.to_runs(upper, chunk.upper);
    tile.to_runs(rhs, chunk.rhs);
    if (lane == 0) {
      diag[0] -= chunk.lower[0] * carry.upper;
      chunk.rhs[0] -= chunk.lower[0] * carry.rhs;
      chunk.lower[0] = 0;
    }
    int failed = chunk.eliminate(diag);
    Row<T> next = shuffle_row(chunk.first_row(), (lane + 1) % kWarp);
    if (lane + 1 == kWarp) next = outside;
    T pivot;
    Row<T> row = chunk.last_row(next, pivot);
    bool all_usable = divide(row, pivot);
    const int runs = int(min(ceil_div(n - panel, kRows), std::int64_t(kWarp)));  // what lies beyond is solved
    for (int distance = 1; distance < runs; distance *= 2) {
      Row<T> before = shuffle_row(row, (lane - distance) & (kWarp - 1));
      Row<T> after = shuffle_row(row, (lane + distance) % kWarp);
      if (lane < distance) before = {0, 0, 0};
      if (lane + distance >= kWarp) after = outside;
      all_usable &= divide(row, reduce_row(row, before, after));
    }
    if (failed == kRows && !all_usable) failed = kRows - 1;
    if (failed < kRows) report_pivot(a, system, min(panel + lane * kRows + failed, n - 1));

    // All unknowns by the first one of the next panel: x = d′ − c′ · (that one).
    Row<T> left = shuffle_row(row, (lane + kWarp - 1) % kWarp);
    if (lane == 0) left = {0, 0, 0};
    T c[kRows];
    c[kRows - 1] = row.upper;
#pragma unroll
    for (int i = kRows - 2; i >= 0; --i) c[i] = -chunk.lower[i] * left.upper - chunk.upper[i] * c[i + 1];
    chunk.substitute(left.rhs, row.rhs);
    carry = shuffle_row(row, kWarp - 1);
    first = shuffle(chunk.rhs[0], 0);
    tile.from_runs(chunk.rhs);
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const std::int64_t at = panel + k * kWarp + lane;
      if (at < n) a.x[v + at] = tile.across(k);
    }
    if (panel + kPanel >= n) break;
    tile.from_runs(c);
#pragma unroll
    for (int k = 0; k < kRows; ++k) above[panel + k * kWarp + lane] = tile.across(k);
  }
  for (panel -= kPanel; panel >= 0; panel -= kPanel) {
    T x[kRows];
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const std::int64_t at = panel + k * kWarp + lane;
      x[k] = a.x[v + at] - above[at] * first;
    }
#pragma unroll
    for (int k = 0; k < kRows; ++k) a.x[v + panel + k * kWarp + lane] = x[k];
    first = shuffle(x[0], 0);
  }
}

template <class C>
void warp_panels(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  T* above = a.n > kPanel ? ctx.scratch<T>(a.unknowns()) : nullptr;
  launch(ctx, ceil_div(a.count, kWarps), kWarps * kWarp, kWarps * WarpTile<T, kRows>::kSize * sizeof(T),
         warp_panels_systems<C>, a, above);
}

std::string refuses(const Tridiagonal::Shape& shape, CaseId id) {
  if (shape.systems.row != 1 && shape.systems.n > 1) return "for systems in one piece only";
  if (!shape.list && shape.systems.n < kFewestRows)
    return "a warp is too much for each of so many short systems: of fewer than 64 rows it takes lists only";
  return Tridiagonal::refuse_pivot(shape, id);
}

REGISTER(Tridiagonal, warp_panels, .note = "systems of any lengths, a warp for each, panel by panel",
         .refuses = refuses)

}  // namespace
}  // namespace tandem
