// The lecture's question: what becomes of a sweep along Z, whose systems are contiguous, when they are transposed
// before and after? The sweeps of the channel-flow solver, one system per thread, in f32 and f64.

#include "bench/reproduce/reproduce.h"
#include "channel_flow/measure.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

/// The lecture's milliseconds along X, Y, Z, in transposes (0: there are none), and in all.
struct Published {
  const char* type;
  const char* z;
  double milliseconds[5];
};
constexpr Published kPublished[] = {{"f32", "naive", {523, 525, 1681, 0, 2729}},
                                    {"f32", "transposed", {528, 531, 533, 164, 1756}},
                                    {"f64", "naive", {717, 694, 1901, 0, 3312}},
                                    {"f64", "transposed", {709, 686, 693, 190, 2278}}};
enum { kZ = 2, kTransposes, kAll, kColumns };

/// X, Y, Z without its transposes, these, and all.
std::vector<Cell> milliseconds(Context& ctx, std::int64_t nodes, const Published& row, const std::string& use,
                               int repetitions) {
  const channel::Sweeps sweeps = channel::parse_sweeps(use, row.z);
  const auto times = std::string_view(row.type) == "f32"
                         ? channel::seconds_of_sweeps<float>(ctx, nodes, sweeps, repetitions)
                         : channel::seconds_of_sweeps<double>(ctx, nodes, sweeps, repetitions);
  const auto& [x, y, z] = times.sweeps;
  std::vector<Cell> cells;
  for (const double seconds : {x, y, z - times.transposes, times.transposes, x + y + z})
    cells.push_back({seconds > 0 ? std::optional(seconds * 1e3) : std::nullopt, {}, 0, use});
  return cells;
}

Section measure(Experiment& experiment, Context* ctx, const char* place, std::int64_t nodes,
                const std::string& use) {
  Section section{place, {{"X", "ms"}, {"Y", "ms"}, {"Z", "ms"}, {"transposes", "ms"}, {"all", "ms"}}, {}};
  for (const Published& row : kPublished) {
    Line line{fmt::format("{}, Z {}", row.type, row.z), std::vector<Cell>(kColumns), "", ""};
    if (ctx) {
      experiment.progress.show(fmt::format("{}: {}", section.title, line.name));
      try {
        line.cells = milliseconds(*ctx, nodes, row, use, experiment.repetitions);
      } catch (const OutOfMemory& error) {
        line.note = error.what();
      }
    } else {
      line.note = why_no_device();
    }
    section.lines.push_back(std::move(line));
  }
  return section;
}

Reproduction tridiagonal_directions(Experiment& experiment) {
  constexpr std::int64_t kQuickNodes = 32, kCpuNodes = 96;
  Context* const device = experiment.contexts.device.get();
  Reproduction result;
  result.method =
      "the sweeps of an iteration of channel_flow for u, v, w and T with their coefficients, one system per "
      "thread; on another grid than the source's, so columns compare, not rows";
  const std::int64_t on_gpu = experiment.quick ? 2 * kQuickNodes : channel::kPublishedNodes,
                     on_cpu = experiment.quick ? kQuickNodes : kCpuNodes;
  const auto grid = [](std::int64_t nodes) { return fmt::format("{0} × {0} × {0}", nodes); };
  result.data["grid"] = {{"GPU", grid(on_gpu)}, {"CPU", grid(on_cpu)}};
  Section gpu = measure(experiment, device, "GPU", on_gpu, "custom/naive");
  for (std::size_t row = 0; row < std::size(kPublished); ++row) {
    for (std::size_t c = 0; c < kColumns; ++c) {
      const double published = kPublished[row].milliseconds[c];
      if (published > 0) gpu.lines[row].cells[c].published = published;
    }
  }
  const auto cell = [&](std::size_t row, std::size_t column) { return gpu.lines[row].cells[column]; };
  const auto z_with_transposes = [&](std::size_t row) {
    Cell both = cell(row, kZ);
    const Cell transposes = cell(row, kTransposes);
    if (both.here) *both.here += transposes.here.value_or(0);
    *both.published += *transposes.published;
    both.derived = true;
    return both;
  };
  result.claims = {
      claim("transposing makes the sweep along Z faster, in f32 and f64",
            {quotient(cell(0, kZ), z_with_transposes(1)), quotient(cell(2, kZ), z_with_transposes(3))}),
      claim("and all three together",
            {quotient(cell(0, kAll), cell(1, kAll)), quotient(cell(2, kAll), cell(3, kAll))})};
  // As the source prints them, which rounds.
  result.claims[0].published[0] = 2.4;
  result.claims[1].published = {1.6, 1.5};
  result.sections = {std::move(gpu),
                     measure(experiment, &experiment.contexts.host, "CPU", on_cpu, "custom/threads")};
  return result;
}

const bool added = add_table({"tridiagonal-directions",
                              "Sweeps along X, Y and Z of a grid, Z naive and transposed, f32 and f64",
                              "the lecture on GPU algorithms, ms", tridiagonal_directions});

}  // namespace
}  // namespace tandem::command
