// The matrix-multiplication lab's second question: a thread computes 2 × 2 results; how many of their inputs should
// it load before it multiplies? As the lab did it, with neighbouring columns, and with columns a warp apart.

#include <algorithm>

#include "bench/reproduce/tuned.h"

namespace tandem::command {
namespace {

constexpr int kTile = 2;  // rows and columns

Reproduction input_registers(Experiment& experiment) {
  Reproduction result;
  result.method =
      "hot: matrices lie where the row computes; f32; registers, spilled bytes and occupancy with "
      "neighbouring "
      "columns";
  Tuned tuned(experiment);
  const std::vector<const TuningPoint*> labs = tuned.points("neighbours");
  std::vector<const TuningPoint*> apart = tuned.points("inputs");
  std::erase_if(apart, [](const TuningPoint* point) { return point->row != kTile; });
  const auto row = [](const TuningPoint* point) { return fmt::format("{0} + {0}", kTile * point->column); };
  for (const std::int64_t n : {512, 4096}) {
    Section section{fmt::format("{0} × {0}, 2 × 2 results per thread", n),
                    {{"neighbouring columns, as the lab", "ms"},
                     {"2 + 2 ÷ this", "×"},
                     {"columns a warp apart", "ms"},
                     {"2 + 2 ÷ that", "×"}},
                    {}};
    section.columns.insert(section.columns.end(), kResources.begin(), kResources.end());
    const bool measured = experiment.contexts.device && !(experiment.quick && n > 512);
    std::vector<const TuningPoint*> points = labs;
    points.insert(points.end(), apart.begin(), apart.end());
    if (measured) tuned.run(n, points, {}, result);
    for (std::size_t i = 0; i < labs.size(); ++i) {
      Line line{row(labs[i]), std::vector<Cell>(section.columns.size()), "", ""};
      if (n == 512 && labs[i]->column * kTile == 64) line.published = "better up to about here";
      if (n == 512 && labs[i]->column * kTile == 128)
        line.published = "a cliff: about 4 times slower than 2 + 2";
      if (measured) {
        const auto times = [&](const std::vector<const TuningPoint*>& form) {
          const Cell time = tuned.time(*form[i]);
          return std::vector<Cell>{time, quotient(tuned.time(*form[0]), time)};
        };
        line.cells = times(labs);
        for (const Cell& cell : times(apart)) line.cells.push_back(cell);
        const std::vector<Cell> taken = tuned.resources(*labs[i]);
        line.cells.insert(line.cells.end(), taken.begin(), taken.end());
        line.note = tuned.why_no_time(*labs[i]);
      } else {
        line.note = experiment.contexts.device ? "left out by --quick" : why_no_device();
      }
      section.lines.push_back(std::move(line));
    }
    result.sections.push_back(std::move(section));
  }
  const std::vector<Line>& lines = result.sections[0].lines;
  const auto speed_up = [&](int inputs) {
    const std::string name = fmt::format("{0} + {0}", inputs);
    return std::find_if(lines.begin(), lines.end(), [&](const Line& l) { return l.name == name; })->cells[1];
  };
  std::vector<Cell> steps;  // 4 + 4 against 2 + 2, and so on
  for (int inputs = 2 * kTile; inputs <= 64; inputs *= 2)
    steps.push_back(quotient(speed_up(inputs), speed_up(inputs / 2)));
  Claim cliff{"128 + 128 is about 4 times slower than 2 + 2", {}, {4}, 2, 8};
  if (const auto last = speed_up(128).here) cliff.here = {1 / *last};
  result.claims = {claim("each doubling of the inputs is faster, up to 64 + 64", steps), std::move(cliff)};
  return result;
}

const bool added =
    add_table({"input-registers", "Matrix products with 2 + 2 to 128 + 128 inputs loaded ahead",
               "the matrix-multiplication lab, figure 3.2, in words", input_registers});

}  // namespace
}  // namespace tandem::command
