// The lecture's table: the sum of 16 M numbers by a CPU and by five kernels, each of which removes one fault of
// the one before.

#include <tuple>

#include "bench/reproduce/reproduce.h"

namespace tandem::command {
namespace {

struct Step {
  const char* row;
  const char* implementation;
  double published;  // ms; 0: not the source's
};
constexpr Step kSteps[] = {{"CPU, serial", "reduce/custom/serial", 6.92},
                           {"CPU, all cores", "reduce/custom/threads", 2.34},
                           {"Reduce_1", "reduce/custom/reduce1_modulo", 5.28},
                           {"Reduce_2", "reduce/custom/reduce2_strided", 2.52},
                           {"Reduce_3", "reduce/custom/reduce3_sequential", 1.88},
                           {"Reduce_4", "reduce/custom/reduce4_first_add", 0.99},
                           {"Reduce_5", "reduce/custom/reduce5_last_warp", 0.65},
                           {"today: one pass", "reduce/custom/one_pass", 0},
                           {"today: CUB", "reduce/vendor/cub", 0},
                           {"today: std::reduce(par)", "reduce/vendor/std_par", 0}};

Reproduction reductions(Experiment& experiment) {
  Reproduction result;
  result.method = "hot: elements and result lie where the row computes";
  const Operation& op = operation("reduce");
  const std::int64_t n = experiment.quick ? 1 << 20 : 1 << 24;
  std::vector<const Implementation*> rows;
  for (const Step& step : kSteps) rows.push_back(&implementation_named(step.implementation));
  Comparison comparison(experiment.repetitions, experiment.seed);
  const Group& group =
      timed(comparison, op, op.benchmarks(op.cases[0], n, experiment.seed).front(), rows, result);

  result.data["input"] = {{"elements", show_size(n)}, {"type", "f32"}};
  Section section{"sum", {{"time", "ms"}, {"as fast as serial", "×"}}, {}};
  std::vector<Cell> times;
  for (std::size_t s = 0; s < rows.size(); ++s) {
    Cell& time = times.emplace_back(milliseconds(group, *rows[s]));
    if (kSteps[s].published > 0) time.published = kSteps[s].published;
    section.lines.push_back({kSteps[s].row, {time, quotient(times[0], time)}, "", why_not(group, *rows[s])});
  }
  result.sections = {std::move(section)};
  const auto& [serial, cores, reduce1, reduce2, reduce3, reduce4, reduce5] =
      std::tie(times[0], times[1], times[2], times[3], times[4], times[5], times[6]);
  result.claims = {claim("each kernel is faster than the one before",
                         {quotient(reduce1, reduce2), quotient(reduce2, reduce3), quotient(reduce3, reduce4),
                          quotient(reduce4, reduce5)}),
                   claim("Reduce_5 is faster than the cores of a CPU", {quotient(cores, reduce5)}),
                   claim("these are faster than one of them", {quotient(serial, cores)})};
  return result;
}

const bool added =
    add_table({"reductions", "The sum of 16 M elements, serial, on all cores, Reduce_1 to Reduce_5",
               "the lecture on GPU algorithms, ms on a Tesla C2070 and a Xeon 5620 (OpenMP)", reductions});

}  // namespace
}  // namespace tandem::command
