#pragma once
// What the steps on the CPU share: tables of the threads' own, added up at the end.

#include <algorithm>

#include "lib/core/workers.h"
#include "lib/ops/histogram/contract.h"

namespace tandem {

/// Calls count(begin, end, table) for pieces of the elements; a table holds kTables × (slots + 1) counters, side by
/// side, of which the last one of each counts elements in no bin. One thread counts where there are so few elements
/// that more tables would cost more to clear and to add up.
template <int kTables, class Args, class Count>
void count_in_tables(const Args& a, Context& ctx, Count count) {
  constexpr std::int64_t kAlone = 1 << 16, kPiece = 1 << 15;
  const std::int64_t slots = a.slots(), counters = kTables * (slots + 1), workers = most_workers();
  auto* tables = ctx.scratch<std::int64_t>(workers * counters);
  auto* used = ctx.scratch<bool>(workers);
  std::fill_n(used, workers, false);
  const Pieces pieces{.size = kPiece, .alone = std::max(kAlone, 4 * counters)};
  parallel_for(a.n, pieces, [&](std::int64_t begin, std::int64_t end, int worker) {
    std::int64_t* const table = tables + worker * counters;
    if (!used[worker]) std::fill_n(table, counters, 0);
    used[worker] = true;
    count(begin, end, table);
  });

  std::fill_n(a.counts, a.bins, 0);
  // Several values of a byte may be in one bin.
  const Pieces of_slots{.size = 4096, .alone = Args::kByValue ? slots : 2 * 4096};
  parallel_for(slots, of_slots, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t slot = begin; slot < end; ++slot) {
      const std::int32_t bin = a.bin_of(static_cast<std::int32_t>(slot));
      if (bin >= a.bins) continue;
      for (std::int64_t worker = 0; worker < workers; ++worker) {
        for (int t = 0; used[worker] && t < kTables; ++t)
          a.counts[bin] += tables[worker * counters + t * (slots + 1) + slot];
      }
    }
  });
}

/// Whether elements are so many that clearing and adding up these tables is little beside counting.
template <int kTables>
bool worth_tables(const Histogram::Shape& shape) {
  return shape.n >= 4 * kTables * shape.slots;
}

}  // namespace tandem
