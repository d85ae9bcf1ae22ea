// The matrix-multiplication lab's first question: how many results should a thread compute? Its own form, inputs and
// sums in memory, and the same with registers.

#include <algorithm>
#include <iterator>
#include <map>

#include "bench/reproduce/tuned.h"

namespace tandem::command {
namespace {

constexpr const char *kOneCore = "gemm/custom/serial", *kAllCores = "gemm/custom/simd";
constexpr std::int64_t kPublishedSize = 512, kLargeSize = 4096;
constexpr int kMostInMemory = 64;  // results of a thread in memory that are timed at the large size

using Tile = std::pair<int, int>;  // rows, columns
std::string name(Tile tile) { return fmt::format("{} × {}", tile.first, tile.second); }

Reproduction tile_sweep(Experiment& experiment) {
  Reproduction result;
  result.method =
      "hot: matrices lie where the row computes; f32; registers, spilled bytes and occupancy of the tile in "
      "registers";
  Tuned tuned(experiment);
  const std::vector<const TuningPoint*> labs = tuned.points("memory_tile"), ours = tuned.points("tile");
  std::map<Tile, const TuningPoint*> in_memory, in_registers;
  for (const TuningPoint* point : labs) in_memory[{point->row, point->column}] = point;
  for (const TuningPoint* point : ours) in_registers[{point->row, point->column}] = point;

  for (const std::int64_t n : {kPublishedSize, kLargeSize}) {
    Section section{
        fmt::format("{0} × {0}", n), {{"in memory, as the lab", "ms"}, {"in registers", "ms"}}, {}};
    section.columns.insert(section.columns.end(), kResources.begin(), kResources.end());
    const bool measured = n == kPublishedSize || !experiment.quick;
    std::vector<std::string> cpu_rows{kAllCores};
    if (n == kPublishedSize) cpu_rows.insert(cpu_rows.begin(), kOneCore);
    const auto in_time = [n](const TuningPoint& lab) {
      return n == kPublishedSize || lab.row * lab.column <= kMostInMemory;
    };
    std::vector<const TuningPoint*> points = ours;
    std::ranges::copy_if(
        labs, std::back_inserter(points), in_time, [](const TuningPoint* p) -> auto& { return *p; });
    if (measured) tuned.run(n, points, cpu_rows, result);
    const auto add = [&](const std::string& row) -> Line& {
      section.lines.push_back({row, std::vector<Cell>(section.columns.size()), "", ""});
      if (!measured) section.lines.back().note = "left out by --quick";
      return section.lines.back();
    };
    for (const std::string& cpu : cpu_rows) {
      Line& line = add(cpu == kOneCore ? "CPU, one core" : "CPU, all cores, vectors");
      if (measured) line.cells[0] = tuned.time(cpu);
    }
    for (const auto& [tile, point] : in_registers) {
      const auto lab = in_memory.find(tile);
      Line& line = add(name(tile));
      if (n == kPublishedSize && tile == Tile{8, 8}) line.published = "the best";
      if (n == kPublishedSize && tile == Tile{32, 32}) line.published = "slower than the CPU";
      if (!measured) continue;
      const bool lab_in_time = lab != in_memory.end() && in_time(*lab->second);
      if (lab_in_time) line.cells[0] = tuned.time(*lab->second);
      line.cells[1] = tuned.time(*point);
      const std::vector<Cell> taken = tuned.resources(*point);
      std::copy(taken.begin(), taken.end(), line.cells.begin() + 2);
      line.note = tuned.why_no_time(*point);
      if (line.note.empty() && lab != in_memory.end() && !lab_in_time)
        line.note = "in memory: takes seconds, not timed";
    }
    result.sections.push_back(std::move(section));
  }

  const std::vector<Line>& lines = result.sections[0].lines;
  const auto lab = [&](const std::string& row) {
    return std::find_if(lines.begin(), lines.end(), [&](const Line& l) { return l.name == row; })->cells[0];
  };
  std::vector<Cell> others;
  for (const auto& [tile, point] : in_memory) {
    if (tile != Tile{8, 8}) others.push_back(quotient(lab(name(tile)), lab(name({8, 8}))));
  }
  result.claims = {claim("of the lab's tiles 8 × 8 is the best", others),
                   claim("32 × 32 is slower than one core of the CPU",
                         {quotient(lab(name({32, 32})), lab(lines[0].name))})};
  return result;
}

const bool added =
    add_table({"tile-sweep", "Matrix products with 1 to 1,024 results per thread: time, registers, occupancy",
               "the matrix-multiplication lab, figure 3.1, in words", tile_sweep});

}  // namespace
}  // namespace tandem::command
