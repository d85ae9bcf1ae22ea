// tandem compare: correctness and speed of every implementation, side by side, in one run.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

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
  std::string operation, in, json, baseline, only, place, method = "hot", tuning, svg, largest = "64M";
  std::vector<std::string> n, shapes, types, operators{"plus"};
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> drawn;
  int repetitions = 11;
};

// --- what to compare ---

/// The rows that --only and --place leave of an operation.
std::vector<const Implementation*> wanted(const Options& options, const Operation& op) {
  std::vector<const Implementation*> rows;
  for (const Implementation& i : implementations()) {
    if (i.operation != op.name || i.name.find(options.only) == std::string::npos) continue;
    if (options.place.empty() || options.place == name(i.place)) rows.push_back(&i);
  }
  return rows;
}

void add_case(Comparison& comparison, const Options& options, const Operation& op, CaseId id,
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
  const auto rows = wanted(options, op);
  for (std::vector<Trial>& of_shape : trials) {
    for (Trial& trial : of_shape) {
      if (file) trial.inputs = {Values::real, 0, 0, file->data};
      comparison.add(op, static_cast<int>(found - op.cases.begin()), std::move(trial), rows);
    }
  }
}

std::vector<std::vector<std::int64_t>> asked_shapes(const Options& options) {
  std::vector<std::vector<std::int64_t>> shapes;
  for (const std::string& shape : options.shapes) shapes.push_back(parse_shape(shape, "--shape"));
  for (const std::string& n : options.n) shapes.push_back({parse_size(n, "--n")});
  return shapes;
}

void add_all(Comparison& comparison, const Options& options, const std::optional<NpyArray>& file) {
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
  for (const auto& op : operations()) {
    if (!options.operation.empty() && op.get() != &operation(options.operation)) continue;
    // A size or a file for all operations speaks of arrays of rank 1.
    if (options.operation.empty() && !shapes.empty() && !op->extents.empty()) continue;
    for (const Type type : types.empty() ? std::vector{op->default_type()} : types) {
      for (const OperatorId which : operators)
        add_case(comparison, options, *op, {type, which}, shapes, file);
    }
  }
  if (comparison.groups().empty())
    throw InvalidArgument("no operation takes these types with these operators");
}

/// The shape that `tandem audit` drew from a number.
void add_drawn(Comparison& comparison, const Options& options) {
  if (options.operation.empty())
    throw InvalidArgument("--draw needs an operation, as tandem audit prints it");
  const Operation& op = operation(options.operation);
  auto [case_index, trial] = op.draw(*options.drawn, parse_size(options.largest, "--largest"));
  comparison.add(op, case_index, std::move(trial), wanted(options, op));
}

// --- what a table says ---

void print(Comparison& comparison, const Group& group, Method method) {
  fmt::print("\n{} {} {}{}{} ({})\n", group.operation->name, group.id().str(), extents(group.trial),
             group.trial.variant.empty() ? "" : " ", group.trial.variant, name(method));
  Table table({"implementation", "place", "correct", "time", "spread", group.unit(), "flop/byte", "of bound",
               "x vendor", "x step before", "note"});
  const auto ratio = [](std::optional<double> r) { return r ? fmt::format("{:.2f}", *r) : std::string(); };
  for (const Row& row : group.rows) {
    const Implementation& i = *row.implementation;
    if (row.timed) {
      const auto fraction = comparison.bound_fraction(group, row);
      table.add({i.name, name(i.place), fmt::format("yes ({:.2g})", row.verdict.worst),
                 show_time(row.time.seconds), fmt::format("{:.1f} %", row.time.spread * 100),
                 fmt::format("{:.4g}", group.rate(row)), fmt::format("{:.3g}", group.intensity()),
                 fraction ? fmt::format("{:.0f} %", *fraction * 100) : "in cache",
                 ratio(group.vs_vendor(row)), ratio(group.vs_previous(row)),
                 i.reduced_precision ? "reduced precision: a bound of its own, no rival"
                 : row.automatic     ? "the automatic choice"
                                     : ""});
    } else if (!row.verdict.correct) {
      table.add({i.name, name(i.place), "WRONG", "", "", "", "", "", "", "", row.reason}, Colour::bad);
    } else {
      table.add(
          {i.name, name(i.place), row.checked ? fmt::format("yes ({:.2g})", row.verdict.worst) : "not run",
           "", "", "", "", "", "", "", row.reason},
          Colour::dim);
    }
  }
  table.print();
}

bool compare(const Options& options) {
  if (!options.json.empty()) require_writable(options.json);
  const Baseline baseline(options.baseline);
  std::optional<NpyArray> file;
  if (!options.in.empty()) file = read_vector(options.in);
  const Method method = parse_method(options.method);
  Comparison comparison(method, options.repetitions, options.seed);
  if (options.drawn)
    add_drawn(comparison, options);
  else
    add_all(comparison, options, file);
  comparison.measure();
  Json rows = Json::array();
  for (const Group& group : comparison.groups()) {
    print(comparison, group, method);
    for (const Row& row : group.rows) rows.push_back(comparison.to_json(group, row));
  }
  comparison.print_bounds();
  fmt::print(
      "correct (worst error ÷ allowed error); time: median of {} repetitions, {}; x vendor: against the "
      "fastest "
      "vendor row of the same place\n",
      options.repetitions, name(method));
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
                     options.repetitions, options.seed, options.json, options.svg});
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
  sub->add_option("--svg", options.svg, "Draw the tuning as a heat map into this file")->needs(tuning_name);
  sub->add_option("--json", options.json, "Write the rows to this file");
  sub->add_option("--baseline", options.baseline,
                  "Exit 1 if a row is slower than in this file, beyond noise");
  sub->footer(
      "A wrong result has no time; exit status 1 says that there is one.\nExample: tandem compare scan --n "
      "1M,64M --type f32,f64 --json scan.json");
  sub->callback([] {
    exit_code =
        (options.tuning.empty() ? compare(options) : compare_tuning(options)) ? kSuccess : kWrongResult;
  });
}

}  // namespace tandem::command
