// The textbook's efficiency of three reductions: lanes that do useful work ÷ lanes that their warps occupy, and
// requests to global memory. One block sums 256 elements, or 2,048; counted by the executor.

#include "bench/reproduce/trace/counts.h"

namespace tandem::command {
namespace {

constexpr const char* kForgets =
    "the source counts 736 lanes: its formula forgets that the sixth round still occupies every warp";

/// What the source says of one kernel on so many elements; 0 where it says nothing.
struct Kernel {
  const char* row;
  const char* implementation;
  simt::Space tree;  // where it lies
  struct Known {
    std::int64_t n;
    double useful, occupied, efficiency, lines;
    const char* note;
  } known[2];
};
constexpr Kernel kKernels[] = {
    {"simple",
     "reduce/custom/global_interleaved",
     simt::Space::global,
     {{256, 255, 736, 0.35, 141, kForgets}, {2048, 0, 0, 0, 1149, ""}}},
    {"convergent",
     "reduce/custom/global_convergent",
     simt::Space::global,
     {{256, 255, 384, 0.66, 36, ""}, {2048, 0, 0, 0, 204, ""}}},
    {"shared memory",
     "reduce/custom/reduce4_first_add",
     simt::Space::shared,
     {{256, 0, 0, 0, 9, "the first addition happens while loading"}, {0, 0, 0, 0, 0, ""}}}};

std::optional<double> said(double number) { return number > 0 ? std::optional(number) : std::nullopt; }

Line line(const Kernel& kernel, const Kernel::Known& known, Reproduction& result) {
  // The loop alone: the simple and the convergent kernel work on a copy, which another launch makes.
  const auto launches = traced(kernel.implementation, known.n, static_cast<int>(known.n / 2), result);
  const simt::LineTotals tree = busiest_line(launches.back(), kernel.tree);
  const bool global = kernel.tree == simt::Space::global;
  const auto useful = static_cast<double>(tree.stores.lanes),
             occupied = 32.0 * static_cast<double>(tree.stores.requests);
  const auto lines = static_cast<double>(global ? tree.all.lines : launches.back().global.lines);
  return {kernel.row,
          {count(useful, said(known.useful)), count(occupied, said(known.occupied)),
           count(useful / occupied, said(known.efficiency)), count(lines, said(known.lines))},
          "",
          known.note};
}

Reproduction reduction_efficiency(Experiment&) {
  Reproduction result;
  result.method =
      "counted in a trace, one block of n/2 threads; a request is a 128-byte line that a warp touches, as in "
      "the source";
  for (const std::size_t size : {0, 1}) {
    Section section{fmt::format("{} elements", kKernels[0].known[size].n),
                    {{"lanes that add", ""}, {"lanes occupied", ""}, {"efficiency", ""}, {"requests", ""}},
                    {}};
    for (const Kernel& kernel : kKernels) {
      if (kernel.known[size].n > 0) section.lines.push_back(line(kernel, kernel.known[size], result));
    }
    result.sections.push_back(std::move(section));
  }
  const std::vector<Line>&few = result.sections[0].lines, &many = result.sections[1].lines;
  result.claims = {claim("convergent threads use lanes better", {quotient(few[1].cells[2], few[0].cells[2])}),
                   claim("they make fewer requests", {quotient(few[0].cells[3], few[1].cells[3]),
                                                      quotient(many[0].cells[3], many[1].cells[3])}),
                   claim("shared memory makes fewer still", {quotient(few[1].cells[3], few[2].cells[3])})};
  return result;
}

const bool added =
    add_table({"reduction-efficiency", "Useful lanes and memory requests of three sums in one block, counted",
               "the textbook's chapter on reduction", reduction_efficiency});

}  // namespace
}  // namespace tandem::command
