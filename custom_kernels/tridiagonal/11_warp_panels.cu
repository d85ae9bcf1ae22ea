// Idea:    a warp solves a system of any length panel by panel: 32 chunks of rows, as in warp_hybrid. What
//          Thomas carries from row to row, x = d′ − c′·(unknown after), is carried from panel to panel; on
//          the way back the first unknown of a panel is all that the panel before needs.
// New:     against warp_hybrid, no longest system and no common length, so it takes lists of systems. Against
//          naive, a long system keeps no lanes waiting, and every access is coalesced.
// Expect:  5 words per unknown where a system fits a panel; else 9, as Thomas, but a panel at a time.
// Limits:  contiguous systems only; lanes beyond a short system's end are idle. Deterministic.
// Source:  Wang 1981, "A parallel method for tridiagonal equations", for the chunks; Thomas 1949 between
//          panels.

#include "lib/ops/tridiagonal/pivot.h"
#include "tandem/device/tridiagonal.cuh"
#include "tandem/device/warp_exchange.cuh"

namespace tandem {
namespace {

constexpr int kWarps = 4;  // of a block, independent of each other
constexpr int kRows = 8;   // of a lane's chunk
constexpr int kPanel = kRows * kWarp;

constexpr std::int64_t kFewestRows = 64;  // shorter systems of one length leave most lanes idle

/// above: c′ of all rows but those of each last panel, contiguous like the systems.
template <class C>
__global__ void __launch_bounds__(kWarps* kWarp)
    warp_panels_systems(typename C::Args a, typename C::T* above) {
  using T = typename C::T;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const std::int64_t system = std::int64_t(blockIdx.x) * kWarps + warp;
  if (system >= a.count) return;
  const auto [m, v, n] = a.locate(system);
  above += a.offsets ? m : system * n;
  const WarpExchange<T, kRows> exchange{warp * WarpExchange<T, kRows>::kSize};
  const UnitRow<T> outside{0, -1, 0};  // the first unknown of the next panel, as a row: x − x = 0
  UnitRow<T> carry{0, 0, 0};           // the last unknown of the panel before, by the first one of this panel
  T first;                             // the first unknown of the panel
  std::int64_t panel = 0, failed = n;
  for (;; panel += kPanel) {
    T lower[kRows], striped_diag[kRows], upper[kRows], rhs[kRows];
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const std::int64_t row = panel + k * kWarp + lane;
      const bool inside = row < n;
      lower[k] = inside && row > 0 ? a.lower[m + row] : T(0);
      striped_diag[k] = inside ? a.diag[m + row] : T(1);
      upper[k] = row + 1 < n ? a.upper[m + row] : T(0);
      rhs[k] = inside ? a.rhs[v + row] : T(0);
    }
    Chunk<T, kRows> chunk;
    T diag[kRows];
    exchange.striped_to_blocked(lower, chunk.lower);
    exchange.striped_to_blocked(striped_diag, diag);
    exchange.striped_to_blocked(upper, chunk.upper);
    exchange.striped_to_blocked(rhs, chunk.rhs);
    if (lane == 0) {
      diag[0] -= chunk.lower[0] * carry.upper;
      chunk.rhs[0] -= chunk.lower[0] * carry.rhs;
      chunk.lower[0] = 0;
    }
    chunk.eliminate(diag);
    UnitRow<T> next = shuffle_row(chunk.first_row(), (lane + 1) % kWarp);
    if (lane + 1 == kWarp) next = outside;
    T pivot;
    UnitRow<T> row = chunk.last_row(next, pivot);
    bool all_usable = divide(row, pivot);
    const int chunks = int(min(ceil_div(n - panel, kRows), std::int64_t(kWarp)));  // the others are padding
    for (int distance = 1; distance < chunks; distance *= 2) {
      UnitRow<T> before = shuffle_row(row, (lane - distance) & (kWarp - 1));
      UnitRow<T> after = shuffle_row(row, (lane + distance) % kWarp);
      if (lane < distance) before = {0, 0, 0};
      if (lane + distance >= kWarp) after = outside;
      all_usable &= divide(row, reduce_row(row, before, after));
    }
    if (!all_usable && chunk.failed == kRows) chunk.failed = kRows - 1;
    if (chunk.failed < kRows) failed = min(panel + lane * kRows + chunk.failed, n - 1);

    // Each unknown by the first one of the next panel: x = d′ − c′ · (that one).
    UnitRow<T> left = shuffle_row(row, (lane + kWarp - 1) % kWarp);
    if (lane == 0) left = {0, 0, 0};
    T c[kRows];
    c[kRows - 1] = row.upper;
#pragma unroll
    for (int i = kRows - 2; i >= 0; --i) c[i] = -chunk.lower[i] * left.upper - chunk.upper[i] * c[i + 1];
    chunk.substitute(left.rhs, row.rhs);
    carry = shuffle_row(row, kWarp - 1);
    first = shuffle(chunk.rhs[0], 0);
    exchange.store_blocked(chunk.rhs);
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const std::int64_t at = panel + k * kWarp + lane;
      if (at < n) a.x[v + at] = exchange.striped(k);
    }
    if (panel + kPanel >= n) break;
    exchange.store_blocked(c);
#pragma unroll
    for (int k = 0; k < kRows; ++k) above[panel + k * kWarp + lane] = exchange.striped(k);
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
  if (failed < n) report_first_pivot(a, system, failed);
}

template <class C>
void warp_panels(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  T* above = a.n > kPanel ? ctx.scratch<T>(a.unknowns()) : nullptr;
  launch(ctx, ceil_div(a.count, kWarps), kWarps * kWarp, kWarps * WarpExchange<T, kRows>::kSize * sizeof(T),
         warp_panels_systems<C>, a, above);
}

std::string refuses(const Tridiagonal::Shape& shape, CaseId id) {
  if (shape.systems.row != 1 && shape.systems.n > 1) return "takes contiguous systems only";
  return Tridiagonal::refuse_pivot(shape, id);
}

REGISTER(
    Tridiagonal, warp_panels, .note = "systems of any lengths, a warp for each, panel by panel",
    .refuses = refuses,
    .suits = [](const Tridiagonal::Shape& s) { return s.list || s.systems.n >= kFewestRows; })

}  // namespace
}  // namespace tandem
