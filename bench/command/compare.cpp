// tandem compare: correctness and speed of every implementation, side by side, in one run.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "bench/command/command.h"
#include "bench/command/tuning.h"
#include "bench/measure/comparison.h"
#include "bench/report/baseline.h"
#include "bench/terminal.h"
#include "tandem/error.h"
#include "tandem/npy.h"

namespace tandem::command {
namespace {

struct Options {
  std::string operation, in, json, baseline, only, step, place, method = "hot", tuning, svg, recorded,
                                                                largest = "64M";
  std::vector<std::string> n, shapes, types, operators{"plus"};
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> drawn;
  int repetitions = 11;
  bool all = false;
};

/// What becomes one table.
struct Planned {
  const Operation* operation;
  int case_index;
  Trial trial;
};

// --- what to compare ---

/// The rows that --only, --step and --place leave of an operation.
std::vector<const Implementation*> wanted(const Options& options, const Operation& op) {
  std::set<const Implementation*> steps;  // those of --step, and before each of them the one it improves on
  std::set<Place> places;                 // where they run
  if (!options.step.empty()) {
    for (const Implementation* i : matching(options.step)) {
      steps.insert({i, step_before(*i)});
      places.insert(i->place);
    }
  }
  std::vector<const Implementation*> rows;
  for (const Implementation& i : implementations()) {
    if (i.operation != op.name || i.name.find(options.only) == std::string::npos) continue;
    const bool rival = i.path == "vendor" && places.contains(i.place);
    if (!options.step.empty() && !steps.contains(&i) && !rival) continue;
    if (options.place.empty() || options.place == name(i.place)) rows.push_back(&i);
  }
  return rows;
}

/// The operation of --step, of which there must be one.
std::string operation_of_step(const std::string& step) {
  const auto found = matching(step);
  if (found.empty())
    throw InvalidArgument(fmt::format("--step is '{}', of which there is none; see: tandem list", step));
  for (const Implementation* i : found) {
    if (i->operation != found[0]->operation) {
      throw InvalidArgument(fmt::format("--step is '{}', a part of {} and of {}; say more of the name", step,
                                        found[0]->name, i->name));
    }
  }
  return found[0]->operation;
}

void add_case(std::vector<Planned>& plan, const Options& options, const Operation& op, CaseId id,
              const std::vector<std::vector<std::int64_t>>& shapes, const std::optional<NpyArray>& file) {
  const auto found = std::find(op.cases.begin(), op.cases.end(), id);
  if (found == op.cases.end()) return;
  std::vector<std::vector<Trial>> trials;
  for (const auto& shape : shapes) {
    trials.push_back(shape.size() == 1 ? op.benchmarks(id, shape[0], options.seed)
                                       : op.benchmarks(id, shape, options.seed));
  }
  if (shapes.empty()) {
    for (const std::int64_t n : op.bench_sizes) trials.push_back(op.benchmarks(id, n, options.seed));
  }
  for (std::vector<Trial>& of_shape : trials) {
    for (Trial& trial : of_shape) {
      if (file) trial.inputs = {Values::real, 0, 0, file->data};
      plan.push_back({&op, static_cast<int>(found - op.cases.begin()), std::move(trial)});
    }
  }
}

std::vector<std::vector<std::int64_t>> asked_shapes(const Options& options) {
  std::vector<std::vector<std::int64_t>> shapes;
  for (const std::string& shape : options.shapes) shapes.push_back(parse_shape(shape, "--shape"));
  for (const std::string& n : options.n) shapes.push_back({parse_size(n, "--n")});
  return shapes;
}

std::vector<Planned> plan_of(const Options& options, const std::optional<NpyArray>& file) {
  std::vector<Planned> plan;
  std::vector<std::vector<std::int64_t>> shapes = asked_shapes(options);
  if (file) {
    shapes = {{file->size()}};
    if (!options.operation.empty() && !operation(options.operation).extents.empty()) {
      throw InvalidArgument(fmt::format("--in is an array of rank 1; a shape of {} is {}", options.operation,
                                        operation(options.operation).extents));
    }
  }
  std::vector<Type> types;
  for (const std::string& type : options.types) types.push_back(parse_type(type));
  if (file) types = {file->type};
  // An operation without operators has cases of `none`.
  std::vector<OperatorId> operators{OperatorId::none};
  for (const std::string& op : options.operators) operators.push_back(parse_operator(op));
  std::vector<const Operation*> in_turn;  // operations on arrays of rank 1 first: they are done soonest
  for (const bool rank_1 : {true, false}) {
    for (const auto& op : operations()) {
      if (op->extents.empty() == rank_1) in_turn.push_back(op.get());
    }
  }
  for (const Operation* op : in_turn) {
    if (!options.operation.empty() && op != &operation(options.operation)) continue;
    // A size or a file for all operations speaks of arrays of rank 1.
    if (options.operation.empty() && !shapes.empty() && !op->extents.empty()) continue;
    for (const Type type : types.empty() ? std::vector{op->default_type()} : types) {
      for (const OperatorId which : operators) add_case(plan, options, *op, {type, which}, shapes, file);
    }
  }
  if (plan.empty()) throw InvalidArgument("no operation takes these types with these operators");
  return plan;
}

/// The shape that `tandem audit` drew from a number.
std::vector<Planned> drawn(const Options& options) {
  if (options.operation.empty())
    throw InvalidArgument("--draw needs an operation, as tandem audit prints it");
  const Operation& op = operation(options.operation);
  auto [case_index, trial] = op.draw(*options.drawn, parse_size(options.largest, "--largest"));
  return {{&op, case_index, std::move(trial)}};
}

// --- what a table says ---

std::string percent(double share) { return fmt::format("{:.0f} %", share * 100); }
std::string ratio(std::optional<double> r) { return r ? fmt::format("{:.2f}", *r) : std::string(); }
std::string title(const Group& group) {
  return fmt::format("{} {} {}{}{}", group.operation->name, group.id().str(), extents(group.trial),
                     group.trial.variant.empty() ? "" : " ", group.trial.variant);
}

/// The rows without a time, those that share a place and a reason in one line.
void print_untimed(const Group& group) {
  std::vector<std::pair<const Row*, int>> folded;
  for (const Row& row : group.rows) {
    if (row.timed || !row.verdict.correct) continue;
    const auto same = std::ranges::find_if(folded, [&](const auto& other) {
      return other.first->implementation->place == row.implementation->place &&
             other.first->reason == row.reason;
    });
    if (same == folded.end())
      folded.emplace_back(&row, 1);
    else
      ++same->second;
  }
  for (const auto& [row, count] : folded) {
    const Implementation& i = *row->implementation;
    const std::string what = count == 1 ? i.name : fmt::format("{} {} rows", count, name(i.place));
    fmt::print("{}\n",
               paint(fmt::format("{}: {}{}", what, row->checked ? "right, " : "", row->reason), Colour::dim));
  }
}

void print(Comparison& comparison, const Group& group, const Options& options) {
  fmt::print("\n{} ({})\n", title(group), options.method);
  Table table({"implementation", "place", "time", "spread", group.unit(), "of bound", "x vendor",
               "x step before", "error", "flop/byte", "note"});
  table.may_leave_out({"flop/byte", "error", "x step before", "place", "spread"});
  for (const Row& row : group.rows) {
    const Implementation& i = *row.implementation;
    const std::string error = row.checked ? fmt::format("{:.2g}", row.verdict.worst) : "";
    if (row.timed) {
      const auto fraction = comparison.bound_fraction(group, row);
      table.add({i.name, name(i.place), show_time(row.time.seconds),
                 fmt::format("{:.1f} %", row.time.spread * 100), fmt::format("{:.4g}", group.rate(row)),
                 fraction ? percent(*fraction) : "in cache", ratio(group.vs_vendor(row)),
                 ratio(group.vs_previous(row)), error, fmt::format("{:.3g}", group.intensity()),
                 i.reduced_precision ? "reduced precision: a bound of its own, no rival"
                 : row.automatic     ? "the automatic choice"
                                     : ""});
    } else if (!row.verdict.correct) {
      table.add({i.name, name(i.place), "WRONG", "", "", "", "", "", error, "", row.reason}, Colour::bad);
    } else if (options.all) {
      table.add({i.name, name(i.place), row.checked ? "right" : "not run", "", "", "", "", "", error, "",
                 row.reason},
                Colour::dim);
    }
  }
  table.print();
  if (!options.all) print_untimed(group);
  std::fflush(stdout);
}

/// The fastest timed row of a path on a place; null where there is none.
const Row* fastest(const Group& group, std::string_view path, Place place) {
  const Row* best = nullptr;
  for (const Row& row : group.rows) {
    const Implementation& i = *row.implementation;
    if (row.timed && i.path == path && i.place == place && !i.reduced_precision &&
        (!best || row.time.seconds < best->time.seconds))
      best = &row;
  }
  return best;
}

/// Of each operation, case and variant the last shape, which is the largest, on each place: who is the fastest.
void print_summary(Comparison& comparison) {
  constexpr int kMostRows = 20;
  Table table({"fastest", "place", "custom", "time", "vendor", "time", "x vendor", "of bound"});
  table.may_leave_out({"place", "of bound"});
  int rows = 0, more = 0;
  for (auto group = comparison.groups().begin(); group != comparison.groups().end(); ++group) {
    const auto last = [&](const Group& other) {
      return other.operation == group->operation && other.id() == group->id() &&
             other.trial.variant == group->trial.variant;
    };
    if (std::any_of(std::next(group), comparison.groups().end(), last)) continue;
    for (const Place place : {Place::host, Place::device}) {
      const Row *mine = fastest(*group, "custom", place), *rival = fastest(*group, "vendor", place);
      if (!mine && !rival) continue;
      if (++rows > kMostRows) {
        ++more;
        continue;
      }
      const auto short_name = [](const Row* row) {
        return row ? row->implementation->name.substr(row->implementation->name.rfind('/') + 1)
                   : std::string("–");
      };
      const auto time = [](const Row* row) { return row ? show_time(row->time.seconds) : std::string(); };
      const auto fraction = comparison.bound_fraction(*group, mine ? *mine : *rival);
      table.add({title(*group), name(place), short_name(mine), time(mine), short_name(rival), time(rival),
                 mine ? ratio(group->vs_vendor(*mine)) : "", fraction ? percent(*fraction) : "in cache"});
    }
  }
  if (rows == 0) return;
  fmt::print("\n");
  table.print();
  if (more > 0) fmt::print("{} more in the tables above\n", more);
}

bool compare(const Options& options) {
  if (!options.json.empty()) require_writable(options.json);
  const Baseline baseline(options.baseline);
  std::optional<NpyArray> file;
  if (!options.in.empty()) file = read_vector(options.in);
  Comparison comparison(parse_method(options.method), options.repetitions, options.seed);
  std::vector<Planned> plan = options.drawn ? drawn(options) : plan_of(options, file);
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const Operation& op = *plan[i].operation;
    print(comparison,
          comparison.run(op, plan[i].case_index, std::move(plan[i].trial), wanted(options, op),
                         fmt::format("{} of {}", i + 1, plan.size())),
          options);
  }
  comparison.require_something();
  if (plan.size() > 1) print_summary(comparison);
  comparison.print_bounds();
  fmt::print(
      "time: median of {} repetitions, {}; x vendor: against the fastest vendor row of the same place; "
      "error: the "
      "worst ÷ what is allowed\n",
      options.repetitions, options.method);
  if (const auto spread = comparison.busy()) {
    fmt::print(
        "{}\n",
        paint(fmt::format("this machine is busy: times on the CPU spread by {}; close other programs and "
                          "run again",
                          percent(*spread)),
              Colour::bad));
  }
  if (options.operation.empty())
    fmt::print(
        "next: tandem audit (random shapes) | tandem trace KERNEL (what it does to memory) | tandem list\n");
  Json rows = Json::array();
  for (const Group& group : comparison.groups()) {
    for (const Row& row : group.rows) rows.push_back(comparison.to_json(group, row));
  }
  if (!options.json.empty())
    write_file(options.json, Json{{"machine", comparison.machine()}, {"rows", rows}}.dump(1) + "\n");
  const std::vector<std::string> slower = baseline.regressions(rows);
  for (const std::string& line : slower) fmt::print("{}\n", paint(line, Colour::bad));
  return comparison.correct() && slower.empty();
}

bool compare_tuning(const Options& options) {
  if (options.operation.empty())
    throw InvalidArgument("--tuning needs an operation; see: tandem list --tunings");
  return run_tuning({options.operation, options.tuning, asked_shapes(options), parse_method(options.method),
                     options.repetitions, options.seed, options.json, options.svg, options.recorded});
}

}  // namespace

void add_compare(CLI::App& app) {
  auto* sub = app.add_subcommand("compare",
                                 "Correctness and speed of every implementation, side by side, in one run");
  static Options options;
  sub->add_option("operation", options.operation, known_operations() + "; all when left out");
  auto* n =
      add_texts(sub, "--n", options.n, "Sizes, e.g. 64K,16M (powers of 1024); 1K means 1K x 1K matrices");
  auto* shape = add_texts(sub, "--shape", options.shapes,
                          "Shapes, e.g. 1000x2K. What their extents are: " + known_extents());
  auto* type = add_texts(
      sub, "--type", options.types,
      "Element types: " + known_types() + "; unless given f32, or the first that the operation takes");
  add_texts(sub, "--op", options.operators,
            "Operators or functions, where the operation takes them: " + known_operators());
  sub->add_option("--in", options.in, "Take the elements of this .npy file instead of random ones")
      ->excludes(n)
      ->excludes(shape)
      ->excludes(type);
  sub->add_option("--only", options.only, "Only implementations whose name contains this");
  sub->add_option("--step", options.step,
                  "Only this step, the one before it and the libraries: scan/custom/blelloch");
  sub->add_option("--place", options.place, "Only these rows")
      ->check(CLI::IsMember({"host", "device", "simt"}));
  sub->add_option("--method", options.method,
                  "hot: back to back; cold: caches overwritten before each call; graph: CUDA "
                  "graph replayed")
      ->check(CLI::IsMember({"hot", "cold", "graph"}))
      ->capture_default_str();
  sub->add_option_function<std::string>(
         "--draw",
         [](const std::string& text) { options.drawn = parse_number<std::uint64_t>(text, "--draw"); },
         "Instead: the shape that tandem audit drew from this number")
      ->type_name("INT")
      ->excludes(n)
      ->excludes(shape)
      ->excludes(type);
  sub->add_option("--largest", options.largest, "With --draw: bytes of the largest array")
      ->capture_default_str();
  add_number(sub, "--repetitions", options.repetitions, "Of each row, shuffled", 1, 1000);
  add_number(sub, "--seed", options.seed, "Of the data");
  auto* tuning_name = sub->add_option("--tuning", options.tuning,
                                      "Instead: steps of the operation with many constants; see: tandem list "
                                      "--tunings")
                          ->excludes(type);
  auto* svg = sub->add_option("--svg", options.svg, "Draw the tuning as a heat map into this file")
                  ->needs(tuning_name);
  sub->add_option("--recorded", options.recorded,
                  "Draw what --json of such a run wrote into this file, and measure nothing")
      ->needs(svg)
      ->excludes(n)
      ->excludes(shape);
  sub->add_flag("--all", options.all, "Show rows without a time one by one, too");
  sub->add_option("--json", options.json, "Write the rows to this file");
  sub->add_option("--baseline", options.baseline,
                  "Exit 1 if a row is slower than in this file, beyond noise");
  sub->footer(
      "Each table is printed as soon as it is measured, the last one tells who is the fastest. A wrong "
      "result has no time; "
      "exit status 1 says that there is one.\nExample: tandem compare scan --n "
      "1M,64M --type f32,f64 --json scan.json");
  sub->callback([] {
    if (!options.step.empty() && options.operation.empty())
      options.operation = operation_of_step(options.step);
    exit_code =
        (options.tuning.empty() ? compare(options) : compare_tuning(options)) ? kSuccess : kWrongResult;
  });
}

}  // namespace tandem::command
