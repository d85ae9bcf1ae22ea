// The lecture's second table: tridiagonal systems that its channel-flow solver solves per second, along each axis
// and in whole steps, on the cores of a CPU and on GPUs.

#include <algorithm>

#include "bench/reproduce/reproduce.h"
#include "channel_flow/measure.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

constexpr const char* kColumns[] = {"X", "Y", "Z", "overall"};
constexpr std::size_t kOverall = 3;

struct Row {
  const char* name;
  bool on_device;
  const char *use, *z;  // null: the source's machine alone
  double published[4];  // in a unit that the source does not name; 0: not the source's
};
constexpr Row kRows[] = {
    {"CPU, all cores (source: 4)", false, "custom/threads", "naive", {1.55, 2.17, 2.34, 1.96}},
    {"Tesla C1060", true, nullptr, nullptr, {5.61, 5.36, 5.64, 5.30}},
    {"GPU (source: C2050)", true, "custom/naive", "transposed", {17.73, 18.11, 18.12, 16.09}},
    {"today: CPU, automatic choice", false, "", "naive", {}},
    {"today: GPU, automatic choice", true, "", "naive", {}},
    {"today: CPU, fused", false, "fused", "naive", {}},
    {"today: GPU, fused", true, "fused", "naive", {}}};

// Steps last long: on a CPU with the source's grid, many seconds.
constexpr int kMostSteps = 3;
constexpr double kEnough = 4;  // seconds

template <class T>
std::vector<Cell> rates(Context& ctx, std::int64_t nodes, const Row& row, int repetitions) {
  std::vector<Cell> cells;
  for (const double rate : channel::systems_per_second<T>(ctx, nodes, channel::parse_sweeps(row.use, row.z),
                                                          repetitions, kEnough))
    cells.push_back({rate * 1e-6, {}, 0, row.use});
  return cells;
}

template <class T>
Section measure(Experiment& experiment, const char* type, std::int64_t nodes) {
  Section section{fmt::format("{}", type), {}, {}};
  for (const char* column : kColumns) section.columns.push_back({column, "M/s"});
  for (const Row& row : kRows) {
    Line line{row.name, std::vector<Cell>(std::size(kColumns)), "", ""};
    Context* const ctx = experiment.contexts.of(row.on_device ? Place::device : Place::host);
    if (!row.use) {
      line.note = "the source's alone";
    } else if (!ctx) {
      line.note = why_no_device();
    } else {
      experiment.progress.show(fmt::format("{} {}", type, row.name));
      try {
        line.cells = rates<T>(*ctx, nodes, row, std::min(kMostSteps, experiment.repetitions));
      } catch (const Error& error) {
        line.note = error.what();
      }
    }
    for (std::size_t c = 0; c < line.cells.size(); ++c) {
      if (row.published[c] > 0) line.cells[c].published = row.published[c];
    }
    section.lines.push_back(std::move(line));
  }
  return section;
}

Reproduction systems_per_second(Experiment& experiment) {
  constexpr std::int64_t kQuickNodes = 24, kLaptopNodes = 96;
  const std::int64_t nodes = experiment.quick             ? kQuickNodes
                             : experiment.contexts.device ? channel::kPublishedNodes
                                                          : kLaptopNodes;
  Reproduction result;
  result.method = fmt::format(
      "whole steps of channel_flow, {0} × {0} systems of {0} rows for each of u, v, w and T (source: 448); "
      "the source names no unit, so rows compare, not numbers; overall includes the rest of a step; at most "
      "{1} steps, fewer once they took {2:g} s",
      nodes, kMostSteps, kEnough);
  result.sections = {measure<float>(experiment, "f32", nodes), measure<double>(experiment, "f64", nodes)};
  std::vector<Cell> ratios;
  for (std::size_t c = 0; c <= kOverall; ++c)
    ratios.push_back(quotient(result.sections[0].lines[2].cells[c], result.sections[0].lines[0].cells[c]));
  result.claims = {claim(
      "the GPU solves more systems per second than the cores of a CPU, along X, Y, Z and overall", ratios)};
  result.claims[0].published[kOverall] = 8.2;  // as the source prints it
  return result;
}

const bool added =
    add_table({"systems-per-second", "Tridiagonal systems per second in a channel-flow solver, CPU and GPU",
               "the lecture on GPU algorithms, 448 × 448 systems", systems_per_second});

}  // namespace
}  // namespace tandem::command
