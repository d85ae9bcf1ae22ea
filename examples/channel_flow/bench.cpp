// The two published tables, measured here: tridiagonal systems per second, and the time of the sweeps along
// each axis.

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "bench.h"
#include "common/terminal.h"
#include "measure.h"
#include "verify.h"

namespace channel {
namespace {

using tandem::terminal::Progress;
using tandem::terminal::show_rate;
using tandem::terminal::Table;
using Json = nlohmann::json;
constexpr const char* kSystems = "systems-per-second";
constexpr const char* kDirections = "tridiagonal-directions";
constexpr std::int64_t kCpuNodes = 96;

struct Machine {
  tandem::Context ctx;
  std::int64_t nodes;
  std::string name;
};

std::string title(const std::string& solver, const std::string& z) {
  return (solver.empty() ? "automatic" : solver) + (z == "naive" ? "" : ", z transposed");
}

/// f.operator()<T>() for both types.
template <class F>
void for_types(F&& f) {
  f.template operator()<float>("f32");
  f.template operator()<double>("f64");
}

void measure_systems(std::vector<Machine>& machines, const std::string& no_gpu, int repetitions, Json& json) {
  fmt::print(
      "\n{}: tridiagonal systems solved per second, in whole steps of the solver; published for {} x {} "
      "systems of {} rows, "
      "in a unit that the source does not name\n\n",
      kSystems, kPublishedNodes, kPublishedNodes, kPublishedNodes);
  Table table({"", "rows", "type", "X", "Y", "Z", "overall"});
  table.add({"published: CPU, 4 cores", "448", "", "1.55", "2.17", "2.34", "1.96"});
  table.add({"published: Tesla C1060", "448", "", "5.61", "5.36", "5.64", "5.30"});
  table.add({"published: Tesla C2050", "448", "", "17.73", "18.11", "18.12", "16.09"});
  Progress progress;
  for (Machine& machine : machines) {
    for (const auto& [solver, z] : ways(machine.ctx)) {
      for_types([&]<class T>(const char* type) {
        progress.show(fmt::format("{} {} {}", machine.name, title(solver, z), type));
        std::vector<std::string> row{machine.name + ": " + title(solver, z), fmt::format("{}", machine.nodes),
                                     type};
        try {
          const std::array<double, 4> rates =
              systems_per_second<T>(machine.ctx, machine.nodes, parse_sweeps(solver, z), repetitions);
          for (const double rate : rates) row.push_back(show_rate(rate));
          json.push_back({{"table", kSystems},
                          {"place", machine.name},
                          {"device", machine.ctx.description()},
                          {"solver", solver},
                          {"z", z},
                          {"type", type},
                          {"nodes", machine.nodes},
                          {"x", rates[0]},
                          {"y", rates[1]},
                          {"z_axis", rates[2]},
                          {"overall", rates[3]},
                          {"unit", "systems per second"}});
        } catch (const tandem::Unavailable& error) {
          row.push_back(error.what());
        }
        table.add(row);
      });
    }
  }
  if (!no_gpu.empty()) table.add({"GPU: " + no_gpu});
  progress.clear();
  table.print();
}

void measure_directions(std::vector<Machine>& machines, const std::string& no_gpu, int repetitions,
                        Json& json) {
  fmt::print(
      "\n{}: milliseconds of the sweeps for u, v, w and T; published on another grid, so columns compare, "
      "not rows\n\n",
      kDirections);
  Table table(
      {"", "rows", "type", "X", "Y", "Z naive", "Z transposed", "all naive", "all transposed", "quotient"});
  table.add({"published", "", "f32", "523", "525", "1681", "533 + 164", "2729", "1756", "1.6x"});
  table.add({"published", "", "f64", "717", "694", "1901", "693 + 190", "3312", "2278", "1.5x"});
  Progress progress;
  for (Machine& machine : machines) {
    const bool gpu = machine.ctx.place() == tandem::Place::device;
    const std::vector<std::string> solvers =
        gpu ? std::vector<
                  std::string>{"custom/naive",
                               "vendor/cusparse_interleaved_thomas,vendor/cusparse_interleaved_thomas,",
                               "custom/split,custom/split,"}
            : std::vector<std::string>{"custom/threads", "custom/simd"};
    for (const std::string& solver : solvers) {
      for_types([&]<class T>(const char* type) {
        progress.show(fmt::format("{} {} {}", machine.name, solver, type));
        // Along z: a solver for contiguous systems, and the solver of x and y on transposed lines.
        std::string naive = solver, transposed = solver;
        if (solver.back() == ',') {
          naive +=
              solver.find("cusparse") == std::string::npos ? "custom/warp_hybrid" : "vendor/cusparse_strided";
          transposed += solver.substr(0, solver.find(','));
        }
        const auto sweeps = [&](const std::string& use, const char* z) {
          return seconds_of_sweeps<T>(machine.ctx, machine.nodes, parse_sweeps(use, z), repetitions).sweeps;
        };
        const std::array<double, 3> a = sweeps(naive, "naive"), b = sweeps(transposed, "transposed");
        const double all_a = a[0] + a[1] + a[2], all_b = a[0] + a[1] + b[2];
        std::vector<std::string> row{machine.name + ": " + naive, fmt::format("{}", machine.nodes), type};
        for (const double seconds : {a[0], a[1], a[2], b[2], all_a, all_b})
          row.push_back(fmt::format("{:.2f}", seconds * 1e3));
        row.push_back(fmt::format("{:.1f}x", all_a / all_b));
        table.add(row);
        json.push_back({{"table", kDirections},
                        {"place", machine.name},
                        {"device", machine.ctx.description()},
                        {"solver", naive},
                        {"solver_transposed", transposed},
                        {"type", type},
                        {"nodes", machine.nodes},
                        {"x", a[0]},
                        {"y", a[1]},
                        {"z_naive", a[2]},
                        {"z_transposed", b[2]},
                        {"unit", "seconds"}});
      });
    }
  }
  if (!no_gpu.empty()) table.add({"GPU: " + no_gpu});
  progress.clear();
  table.print();
}

}  // namespace

void bench(const BenchOptions& options) {
  if (!options.table.empty() && options.table != kSystems && options.table != kDirections) {
    throw tandem::InvalidArgument(fmt::format("channel_flow: there is no table '{}'; known: {}, {}",
                                              options.table, kSystems, kDirections));
  }
  if (options.repetitions < 1)
    throw tandem::InvalidArgument(
        fmt::format("channel_flow: --repetitions is {}; it must be at least 1", options.repetitions));
  if (!options.json.empty()) tandem::file::require_writable(options.json);
  std::vector<Machine> machines;
  const auto add = [&](tandem::Context ctx, std::int64_t nodes, const char* name) {
    machines.push_back({std::move(ctx), options.nodes ? options.nodes : nodes, name});
  };
  const std::string why = tandem::why_no_device();
  if (options.on == "gpu" && !why.empty()) throw tandem::Unavailable("channel_flow: --on is gpu: " + why);
  if (options.on != "cpu" && why.empty()) add(tandem::Context::device(), kPublishedNodes, "GPU");
  if (options.on != "gpu") add(tandem::Context::host(), kCpuNodes, "CPU");
  for (const Machine& machine : machines) fmt::print("{}: {}\n", machine.name, machine.ctx.description());
  const std::string no_gpu = why.empty() ? "" : why;

  Json json = Json::array();
  if (options.table != kDirections) measure_systems(machines, no_gpu, options.repetitions, json);
  if (options.table != kSystems) measure_directions(machines, no_gpu, options.repetitions, json);
  if (!options.json.empty()) {
    const Json document{{"date", fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)))},
                        {"method", fmt::format("median of {}", options.repetitions)},
                        {"rows", json}};
    tandem::file::write_file(options.json, document.dump(1) + "\n");
  }
}

}  // namespace channel
