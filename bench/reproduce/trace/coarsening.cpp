// The textbook's thread coarsening: how many steps a sum takes when the hardware runs its blocks one after the
// other, counted on the executor; and what a factor of 1 to 64 is worth on a GPU.

#include "bench/reproduce/trace/counts.h"

namespace tandem::command {
namespace {

constexpr int kThreads = 8;  // of a block, in the source's example

/// The steps of all blocks in turn: those in which every thread adds, and those of the trees, behind a barrier.
struct Steps {
  double blocks, full, with_barrier;
  double all() const { return full + with_barrier; }
};
Steps steps(const TuningPoint& point, std::int64_t n, Reproduction& result) {
  const simt::LaunchTraffic launch = traced(point, n, kThreads, result).front();
  const auto blocks = static_cast<double>(launch.grid.count());
  double loads = 0;  // of a thread
  for (const simt::LineTraffic& line : launch.lines) {
    if (line.space == simt::Space::global && line.kind == simt::Kind::load)
      loads += static_cast<double>(line.counts.lanes) / (blocks * kThreads);
  }
  return {blocks, blocks * (loads - 1), static_cast<double>(launch.barriers)};
}

Reproduction coarsening(Experiment& experiment) {
  Reproduction result;
  result.method =
      "steps counted in a trace, for blocks one after the other; times hot, a block barrier in every round "
      "of "
      "the tree";
  std::vector<TuningPoint> on_executor, on_device;
  for (TuningPoint& point : tuning_points("reduce", "coarsening")) {
    const bool device = point.implementation.place == Place::device;
    (device ? on_device : on_executor).push_back(std::move(point));
  }
  const std::vector<Column> counts{
      {"blocks", ""}, {"steps", ""}, {"all threads add", ""}, {"behind a barrier", ""}};

  // The source's: two blocks without coarsening, one with a factor of 2.
  const Steps plain = steps(on_executor[0], 4 * kThreads, result),
              coarse = steps(on_executor[1], 4 * kThreads, result);
  Section example{fmt::format("{} elements, {} threads", 4 * kThreads, kThreads), counts, {}};
  example.lines = {
      {"no coarsening",
       {count(plain.blocks, 2), count(plain.all(), 8), count(plain.full, 2), count(plain.with_barrier, 6)},
       "",
       ""},
      {"factor 2",
       {count(coarse.blocks, 1), count(coarse.all(), 6), count(coarse.full, 3),
        count(coarse.with_barrier, 3)},
       "",
       ""}};

  constexpr std::int64_t kElements = 1024;
  Section factors{fmt::format("{} elements, {} threads", kElements, kThreads), counts, {}};
  for (const TuningPoint& point : on_executor) {
    const Steps s = steps(point, kElements, result);
    factors.lines.push_back({point.column_label,
                             {count(s.blocks), count(s.all()), count(s.full), count(s.with_barrier)},
                             "",
                             ""});
  }

  const Operation& op = operation("reduce");
  const std::vector<std::int64_t> sizes{1 << 20, 1 << 26};
  Section times{"time, 256 threads", {}, {}};
  for (const TuningPoint& point : on_executor)
    times.lines.push_back({point.column_label, {}, "", why_no_device()});
  Comparison comparison(experiment.repetitions, experiment.seed);
  std::vector<const Implementation*> rows;
  for (const TuningPoint& point : on_device) rows.push_back(&point.implementation);
  Claim starves{"too large a factor starves the GPU: 64 is slower than the best"};
  for (const std::int64_t n : sizes) {
    times.columns.push_back({fmt::format("{} floats", show_size(n)), "ms"});
    const Group* const group =
        experiment.contexts.device
            ? &timed(comparison, op, op.benchmarks(op.cases[0], n, experiment.seed).front(), rows, result)
            : nullptr;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < times.lines.size(); ++f) {
      Cell& cell = times.lines[f].cells.emplace_back();
      if (!group) continue;
      cell = milliseconds(*group, *rows[f]);
      if (cell.here) best = std::min(best, *cell.here);
    }
    const Cell& last = times.lines.back().cells.back();
    if (last.here && n == sizes[0]) starves.here = {*last.here / best};
  }
  starves.least = 1.05;
  result.claims = {
      claim("a factor of 2 takes 6 steps where none takes 8",
            {quotient(example.lines[0].cells[1], example.lines[1].cells[1])}),
      claim("with half as many barriers", {quotient(example.lines[0].cells[3], example.lines[1].cells[3])}),
      std::move(starves)};
  result.sections = {std::move(example), std::move(factors), std::move(times)};
  return result;
}

const bool added =
    add_table({"coarsening", "Steps of a sum with 2 to 128 elements added by each thread first, and times",
               "the textbook's chapter on reduction", coarsening});

}  // namespace
}  // namespace tandem::command
