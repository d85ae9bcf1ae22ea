#pragma once
// What `tandem report` shows: the same tables on a terminal, as Markdown and in a page; and the page.

#include <string>
#include <vector>

#include "bench/report/baseline.h"
#include "bench/report/data_table.h"
#include "bench/report/results.h"

namespace tandem::command {

/// A picture that is drawn elsewhere, on white.
struct Picture {
  std::string title, svg;
};

struct Report {
  Results results;
  std::vector<Baseline::Changes> changes;  // of each machine; none without a baseline
  std::vector<Picture> tunings, warps;
};

/// "NVIDIA H200: 2026-11-22; median of 11 repetitions; read 4641 GB/s …"
std::string caption(const Machine& machine);

/// Who is the fastest of each operation.
DataTable summary_table(const Machine& machine);
/// Every time of a series.
DataTable times_table(const Series& series);
DataTable changes_table(const Machine& machine, const Baseline::Changes& changes);
DataTable tuning_table(const Tuning& tuning);
DataTable reasons_table(const Reasons& reasons);

/// Prints all tables.
void print(const Report& report);

/// One HTML file that needs no other and no script. Parts that would make it longer than `most` bytes are left out, and
/// it says which; InvalidArgument where that is not enough.
std::string page(const Report& report, std::size_t most);

}  // namespace tandem::command
