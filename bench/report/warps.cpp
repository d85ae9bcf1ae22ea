#include "bench/report/warps.h"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::command {
namespace {

/// What share of all that its requests could move they do move, of 1.
double use(const Counts& c) {
  const double requests = c.requests + c.shared_requests;
  return (c.sectors > 0 ? c.used_sectors / c.sectors : 1) * (requests > 0 ? c.lanes / requests : 1) *
         (c.shared_requests > 0 ? c.shared_requests / (c.shared_requests + c.extra_passes) : 1);
}

/// The series that has times of an operation's kernels, or null.
const Series* times_of(const Results& results, const std::string& operation) {
  for (const Machine& machine : results.machines) {
    if (!machine.device) continue;
    for (const Series* series : machine.main_series()) {
      if (series->operation == operation) return series;
    }
  }
  return nullptr;
}

/// Time before ÷ time after, at the largest size that both have; 0 where none tells.
double gain(const Series* series, const std::string& before, const std::string& after) {
  if (!series) return 0;
  for (auto size = series->sizes().rbegin(); size != series->sizes().rend(); ++size) {
    const Result *b = series->at(before, *size), *a = series->at(after, *size);
    if (b && a) return b->seconds / a->seconds;
  }
  return 0;
}

std::string step(const Picture& warp) { return warp.title.substr(warp.title.rfind('/') + 1); }

void choose_pair(WarpsOf& of, const Report& report) {
  constexpr double kFaster = 1.03;
  const Series* series = times_of(report.results, of.operation);
  const Reasons& reasons = report.results.reasons;
  std::size_t best = 0;
  double best_gain = 0, most = 0;
  for (std::size_t i = 1; i < of.others.size(); ++i) {
    const std::string &before = of.others[i - 1]->title, &after = of.others[i]->title;
    const double times = gain(series, before, after);
    if (series && times < kFaster) continue;
    // Neighbours that waste alike tell by their number of rounds, if at all: the faster, the better.
    const double less_waste = use(*reasons.of(after)) / use(*reasons.of(before));
    if (const double tells = less_waste + 1e-3 * times; tells > most)
      best = i, best_gain = times, most = tells;
  }
  if (best == 0) return;
  const Picture *before = of.others[best - 1], *after = of.others[best];
  const std::string faster = best_gain > 0 ? fmt::format("{:.3g}× as fast as", best_gain) : "after";
  of.pair = {fmt::format("{}: {}, {} {}", of.operation, step(*after), faster, step(*before)), before, after};
  std::erase_if(of.others, [&](const Picture* warp) { return warp == before || warp == after; });
}

}  // namespace

std::vector<WarpsOf> warps_by_operation(const Report& report) {
  std::vector<WarpsOf> all;
  for (const Picture& warp : report.warps) {
    const std::string operation = warp.title.substr(0, warp.title.find('/'));
    if (all.empty() || all.back().operation != operation) all.push_back({operation, {}, {}});
    all.back().others.push_back(&warp);
  }
  for (WarpsOf& of : all) choose_pair(of, report);
  return all;
}

}  // namespace tandem::command
