// channel_flow: the command.

#include <fmt/format.h>
#include <omp.h>
#include <tandem/file.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "bench.h"
#include "checkpoint.h"
#include "common/options.h"
#include "common/program.h"
#include "common/terminal.h"
#include "ranks.h"
#include "verify.h"
#include "vti.h"

namespace channel {
namespace {

enum Exit { kSuccess = 0, kWrong = 1, kBadUsage = 2 };

using tandem::terminal::Command;
using tandem::terminal::Interruptible;
using tandem::terminal::kInterrupted;
using tandem::terminal::Option;
using tandem::terminal::Program;
using tandem::terminal::Progress;
using tandem::terminal::show_rate;

struct RunOptions {
  Flow flow;
  std::string nodes = "64x32x32", length = "4x1x1", ends = "inflow", sides = "wall", type = "f32",
              on = "auto", solver, z = "naive", splitting = "factored", bits = "own";
  double floor = 1;
  std::int64_t steps = 200, every = 0, checkpoint_every = 100;
  std::string vti, checkpoint, resume;
};

/// Three numbers with x between them.
template <class T>
std::array<T, 3> parse_three(const std::string& text, const char* argument) {
  const std::vector<std::string> parts = tandem::terminal::parse_list(text, 'x', argument);
  if (parts.size() != 3) {
    throw tandem::InvalidArgument(
        fmt::format("channel_flow: {} is '{}'; it must be three numbers such as 64x32x32", argument, text));
  }
  std::array<T, 3> values;
  for (std::size_t axis = 0; axis < 3; ++axis)
    values[axis] = tandem::terminal::parse_number<T>(parts[axis], argument);
  return values;
}

Flow flow_of(const RunOptions& options, bool dt_given) {
  Flow flow = options.flow;
  flow.n = parse_three<std::int64_t>(options.nodes, "--nodes");
  flow.length = parse_three<double>(options.length, "--length");
  const auto choose = [](const std::string& text, const char* argument, const char* first,
                         const char* second) {
    if (text != first && text != second)
      throw tandem::InvalidArgument(
          fmt::format("channel_flow: {} is '{}'; it must be {} or {}", argument, text, first, second));
    return text == first;
  };
  if (choose(options.ends, "--ends", "inflow", "developed"))
    flow.faces[0] = {Face::inflow, Face::outflow};
  else
    flow.faces[0] = {Face::developed, Face::developed};
  const Face side = choose(options.sides, "--sides", "wall", "symmetry") ? Face::wall : Face::symmetry;
  flow.faces[2] = {side, side};
  if (!dt_given) {
    flow.dt = 1;
    flow.check();  // suggested_dt divides by its numbers
    flow.dt = flow.suggested_dt();
  }
  return flow;
}

/// Inflow with a blunt profile, or gas at rest between developed ends; the lower wall may be warm.
Profile start_of(const Flow& flow, double floor) {
  return [flow, floor](double, double y, double z, double) {
    const auto blunt = [](double s) { return 1 - std::pow(2 * s - 1, 8); };
    double u = flow.faces[0][0] == Face::inflow ? blunt(y / flow.length[1]) : 0;
    if (flow.faces[2][0] == Face::wall) u *= blunt(z / flow.length[2]);
    const double temperature = y == 0 ? floor : 1;
    return Values{1 / temperature, u, 0, 0, temperature};
  };
}

tandem::Context context_on(const std::string& place) {
  if (place == "auto") return {};
  if (place == "cpu") return tandem::Context::host();
  if (place == "gpu") return tandem::Context::device();
  throw tandem::InvalidArgument(
      fmt::format("channel_flow: --on is '{}'; it must be auto, cpu or gpu", place));
}

/// Runs work(where) on this place, or over the ranks that mpirun started.
int run_on(const std::string& place, const std::function<int(const Where&)>& work) {
  // The solver's own loops take as many threads as Tandem's calls.
  if (const char* threads = std::getenv("TANDEM_THREADS"); threads && std::atoi(threads) > 0)
    omp_set_num_threads(std::atoi(threads));
  if (tandem::terminal::launched_ranks() == 1) {
    tandem::Context ctx = context_on(place);
    return work(ctx);
  }
  tandem::Context ctx = tandem::Context::host();
  tandem::Communicator all = tandem::Communicator::mpi(ctx);
  return one_speaks(all, kBadUsage, [&] {
    if (place == "gpu") throw tandem::Unavailable("channel_flow: ranks compute on CPUs; leave out --on gpu");
    context_on(place);
    return work(all);
  });
}

/// Whether a signal came; over ranks, to one of them.
bool is_interrupted(const Where& where, const Interruptible& here) {
  const std::array<std::int32_t, 1> mine{here.asked()};
  return where.all ? tandem::reduce(*where.all, mine, tandem::maximum) : mine[0];
}

std::string numbered(const std::string& path, std::int64_t step) {
  std::filesystem::path result(path);
  const std::string extension = result.extension().string();
  result.replace_filename(fmt::format("{}_{:06d}{}", result.stem().string(), step, extension));
  return result.string();
}

template <class T>
int run(const Where& where, const RunOptions& options, bool dt_given) {
  const Flow flow = flow_of(options, dt_given);
  flow.check();
  for (const auto& [value, name] :
       {std::pair{options.steps, "--steps"}, {options.checkpoint_every, "--checkpoint-every"}}) {
    if (value < 1)
      throw tandem::InvalidArgument(
          fmt::format("channel_flow: {} is {}; it must be at least 1", name, value));
  }
  if (options.every < 0)
    throw tandem::InvalidArgument(
        fmt::format("channel_flow: --every is {}; it must be at least 0", options.every));
  if (!(options.floor > 0) || !std::isfinite(options.floor))
    throw tandem::InvalidArgument(
        fmt::format("channel_flow: --floor is {}; it must be positive", options.floor));
  Sweeps sweeps = parse_sweeps(options.solver, options.z, options.bits);
  sweeps.splitting = parse_splitting(options.splitting);
  // Files are the first rank's.
  const auto with_files = [&](const auto& work) {
    together(where, [&] {
      if (where.is_first()) work();
    });
  };
  with_files([&] {
    for (const std::string& path : {options.vti, options.checkpoint}) {
      if (!path.empty()) tandem::file::require_writable(path);
    }
    if (options.resume.empty() && !options.checkpoint.empty() && std::filesystem::exists(options.checkpoint))
      throw tandem::BadFile(options.checkpoint,
                            "is already there: go on from it with --resume, or remove it");
  });
  std::optional<Solver<T>> made;
  together(where, [&] { made.emplace(where, flow, sweeps, start_of(flow, options.floor)); });
  Solver<T>& solver = *made;
  if (!options.resume.empty()) {
    Fields<T> fields;
    std::int64_t steps = 0;
    with_files([&] { steps = read_checkpoint<T>(options.resume, flow, fields); });
    solver.restore(fields, steps);
  }
  // A run that was stopped behind its last checkpoint has its output still to write.
  if (solver.steps() > options.steps) {
    throw tandem::InvalidArgument(
        fmt::format("channel_flow: {} holds step {}; --steps is {}, and must not be below it", options.resume,
                    solver.steps(), options.steps));
  }
  const bool prints = where.is_first();
  if (prints) {
    fmt::print("{} nodes, dt {:.4g}, {}, on {}{}\n", options.nodes, flow.dt, options.type,
               where.ctx.description(), where.all ? fmt::format(", {} ranks", where.all->size()) : "");
    fmt::print("{:>8} {:>10} {:>6} {:>10}  systems/s: {:>9} {:>9} {:>9} {:>9}\n", "step", "time", "iter.",
               "continuity", "X", "Y", "Z", "overall");
  }
  const Interruptible interruptible(prints ? "channel_flow: ends after this step; once more to end now\n"
                                           : nullptr);
  const auto save = [&] {
    if (options.checkpoint.empty()) return;
    const Fields<T> fields = solver.fields();
    with_files([&] { write_checkpoint(options.checkpoint, flow, fields, solver.steps()); });
  };
  const auto draw = [&](const std::string& path) {
    const Fields<T> fields = solver.fields();
    with_files([&] { write_vti(path, flow, fields, solver.time()); });
  };
  const std::array<double, 3> lines{static_cast<double>(flow.n[1] * flow.n[2]),
                                    static_cast<double>(flow.n[0] * flow.n[2]),
                                    static_cast<double>(flow.n[0] * flow.n[1])};
  Progress progress;
  const auto begin = std::chrono::steady_clock::now();
  const std::int64_t first = solver.steps();
  while (solver.steps() < options.steps && !is_interrupted(where, interruptible)) {
    const Report report = solver.step();
    const std::int64_t step = solver.steps();
    const double each = 4 * static_cast<double>(report.sweeps);  // u, v, w, T
    const auto rate = [&](std::size_t axis) { return show_rate(each * lines[axis] / report.seconds[axis]); };
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    with_files([&] {  // one of which is the output
      progress.clear();
      fmt::print("{:>8} {:>10.4f} {:>6} {:>10.2e}             {:>9} {:>9} {:>9} {:>9}\n", step, solver.time(),
                 report.iterations, report.residual, rate(0), rate(1), rate(2),
                 show_rate(each * (lines[0] + lines[1] + lines[2]) / report.total));
      tandem::terminal::flush();
      progress.show(fmt::format(
          "step {} of {}, {:.0f} s left", step, options.steps,
          elapsed / static_cast<double>(step - first) * static_cast<double>(options.steps - step)));
    });
    if (!options.vti.empty() && options.every > 0 && step % options.every == 0)
      draw(numbered(options.vti, step));
    if (step % options.checkpoint_every == 0) save();
  }
  progress.clear();
  save();
  if (solver.steps() < options.steps) {
    if (!prints) return kInterrupted;
    fmt::print(stderr, "channel_flow: interrupted after step {}; {}\n", solver.steps(),
               options.checkpoint.empty() ? "no checkpoint was asked for (--checkpoint FILE)"
                                          : fmt::format("go on with --resume {}", options.checkpoint));
    return kInterrupted;
  }
  if (!options.vti.empty()) draw(options.vti);
  return kSuccess;
}

/// Prints each row as soon as it is known: a full run takes minutes.
int verify_command(const Where& where, bool full) {
  if (where.is_first())
    fmt::print("on {}{}\n\n{:<62} {:>5} {:>9} {:>6}  {}\n", where.ctx.description(),
               where.all ? fmt::format(", {} ranks", where.all->size()) : "", "solution", "cells", "error",
               "order", "needed");
  bool good = true;
  Progress progress;
  for (const Check& check : checks(full)) {
    if (where.is_first()) progress.show(check.name);
    const std::vector<Result> results = check.run(where);
    progress.clear();
    if (!where.is_first()) continue;
    for (const Result& result : results) {
      const bool passed = result.passed(), by_order = result.highest > 0;
      good = good && passed;
      const std::vector<double> orders = result.orders();
      for (std::size_t i = 0; i < result.errors.size(); ++i) {
        const std::string needed = by_order ? fmt::format("order {} to {}", result.lowest, result.highest)
                                            : fmt::format("below {:.1e}", result.limit);
        fmt::print("{:<62} {:>5} {:>9.2e} {:>6}{}\n", i == 0 ? result.name : "", result.cells[i],
                   result.errors[i], by_order && i > 0 ? fmt::format("{:.2f}", orders[i - 1]) : "",
                   i == 0 ? fmt::format("  {}: {}", needed, passed ? "right" : "WRONG") : "");
      }
    }
    tandem::terminal::flush();
  }
  return good ? kSuccess : kWrong;
}

int run_command(int argc, char** argv) {
  Program program("channel_flow", "Compressible viscous flow in a channel, by tridiagonal sweeps of Tandem.");
  program.require_subcommand();
  program.footer("Example: channel_flow run --nodes 64x32x32 --re 100 --steps 200 --vti flow.vti");
  int status = kSuccess;

  RunOptions options;
  const Command run_command = program.subcommand("run", "compute a flow");
  run_command.footer(
      "Example: channel_flow run --nodes 128x64x64 --re 200 --floor 1.2 --steps 1000 --vti flow.vti "
      "--checkpoint flow.cfc\n"
      "         channel_flow run … --checkpoint flow.cfc --resume flow.cfc      continues after Ctrl-C, a "
      "kill "
      "or a power cut\n"
      "         python3 examples/channel_flow/plot.py flow.vti                  a slice and the velocity "
      "profile as PNG");
  run_command.option("--nodes", options.nodes, "nodes along x, y, z").show_default();
  run_command.option("--length", options.length, "extent of the box in channel heights").show_default();
  run_command.number("--re", options.flow.re, "Reynolds number");
  run_command.number("--pr", options.flow.pr, "Prandtl number");
  run_command.number("--gamma", options.flow.gamma, "ratio of the specific heats");
  run_command.number("--mach", options.flow.mach, "Mach number of velocity 1 at temperature 1");
  run_command.number("--force", options.flow.force, "per volume, along x");
  run_command.number("--floor", options.floor, "temperature of the wall at y = 0; all others have 1");
  run_command.option("--ends", options.ends, "along x: inflow (and outflow), or developed").show_default();
  run_command.option("--sides", options.sides, "along z: wall or symmetry").show_default();
  Option dt = run_command.number("--dt", options.flow.dt, "time step; without it sound crosses half a cell")
                  .default_str("");
  run_command.number("--theta", options.flow.theta, "weight of the new time level, 0.5 to 1");
  run_command.number("--steps", options.steps, "run until this step");
  run_command.number("--tolerance", options.flow.tolerance, "of the continuity residual, per step");
  run_command.number("--iterations", options.flow.most_iterations, "global iterations of a step, at most");
  run_command.number("--local", options.flow.local_iterations, "local iterations of a sweep");
  run_command.option("--type", options.type, "f32 or f64").show_default();
  run_command.option("--on", options.on, "auto, cpu or gpu").show_default();
  run_command.option("--solver", options.solver,
                     "fused, or implementations of tridiagonal (tandem list tridiagonal): one, or "
                     "x,y,z; without it the automatic choice");
  run_command
      .option("--z", options.z, "naive, or transposed: transpose the lines along z before and after solving")
      .show_default();
  run_command
      .option(
          "--splitting", options.splitting,
          "factored, or lecture: each axis in turn advances by a third of dt with its own operator, which "
          "slows unsteady flows (docs/channel_flow.md)")
      .show_default();
  run_command
      .option("--bits", options.bits,
              "own, or portable: the same ones on any number of ranks (mpirun), by slower implementations, "
              "on CPUs")
      .show_default();
  run_command.option("--vti", options.vti, "write VTK image data here at the end");
  run_command.number("--every", options.every, "and, numbered, after every so many steps");
  run_command.option("--checkpoint", options.checkpoint, "keep the state here, also on Ctrl-C");
  run_command.number("--checkpoint-every", options.checkpoint_every, "steps between two checkpoints");
  run_command.option("--resume", options.resume, "continue from this checkpoint of the same flow");
  run_command.callback([&] {
    status = run_on(options.on, [&](const Where& where) {
      if (options.type == "f32") return run<float>(where, options, dt.count() > 0);
      if (options.type == "f64") return run<double>(where, options, dt.count() > 0);
      throw tandem::InvalidArgument(
          fmt::format("channel_flow: --type is '{}'; it must be f32 or f64", options.type));
    });
  });

  bool full = false;
  std::string verify_on = "auto";
  const Command verify_app = program.subcommand(
      "verify", "compare with known solutions and print the observed orders; exit status 1 if one is wrong");
  verify_app.footer("Example: channel_flow verify --full");
  verify_app.flag("--full", full, "finer grids; takes minutes on a CPU");
  verify_app.option("--on", verify_on, "auto, cpu or gpu").show_default();
  verify_app.callback(
      [&] { status = run_on(verify_on, [&](const Where& where) { return verify_command(where, full); }); });

  BenchOptions bench_options;
  const Command bench_app = program.subcommand("bench", "measure the published tables here");
  bench_app.footer("Example: channel_flow bench systems-per-second --on gpu --nodes 256 --json rows.json");
  bench_app.option("table", bench_options.table,
                   "systems-per-second or tridiagonal-directions; without it both");
  bench_app
      .number("--nodes", bench_options.nodes,
              "along each axis; without it the published 448 on a GPU, fewer on a CPU", kFewestNodes,
              kMostNodes)
      .default_str("");
  bench_app.option("--on", bench_options.on, "all, cpu or gpu").one_of({"all", "cpu", "gpu"}).show_default();
  bench_app.number("--repetitions", bench_options.repetitions, "of every measurement; the median counts");
  bench_app.option("--json", bench_options.json, "write all rows here");
  bench_app.callback([&] {
    if (tandem::terminal::launched_ranks() == 1) return bench(bench_options);
    status = run_on("auto", [](const Where&) -> int {
      throw tandem::Unavailable("channel_flow: bench measures one process; start it without mpirun");
    });
  });

  return program.parse(argc, argv) ? status : kBadUsage;
}

}  // namespace
}  // namespace channel

int main(int argc, char** argv) {
  return tandem::terminal::run_program("channel_flow", "try fewer nodes",
                                       [&] { return channel::run_command(argc, argv); });
}
