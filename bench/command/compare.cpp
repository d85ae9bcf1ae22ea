// tandem compare: correctness and speed of every implementation, side by side, in one run.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "bench/command/command.h"
#include "bench/command/compare.h"
#include "bench/measure/comparison.h"
#include "bench/report/baseline.h"
#include "bench/report/summary.h"
#include "bench/terminal.h"
#include "tandem/error.h"
#include "tandem/npy.h"

namespace tandem::command {
namespace {

/// What becomes one table.
struct Planned {
  const Operation* operation;
  int case_index;
  Trial trial;
};

// --- what to compare ---

/// The rows that --only, --step and --place leave of an operation.
std::vector<const Implementation*> wanted(const CompareOptions& options, const Operation& op) {
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
    if (i.operation != op.name) continue;
    const auto names_it = [&](const std::string& part) { return i.name.find(part) != std::string::npos; };
    if (!options.only.empty() && std::ranges::none_of(options.only, names_it)) continue;
    const bool rival = i.path == "vendor" && places.contains(i.place);
    if (!options.step.empty() && !steps.contains(&i) && !rival) continue;
    if (options.place.empty() || options.place == name(i.place)) rows.push_back(&i);
  }
  return rows;
}

/// Arrays begin so many bytes behind an aligned address, and the table says so.
void shift(Trial& trial, CaseId id, int bytes) {
  const int size = static_cast<int>(size_of(id.type));
  if (bytes % size != 0) {
    throw InvalidArgument(fmt::format("--offset is {}; elements of {} begin at multiples of {} bytes", bytes,
                                      name(id.type), size));
  }
  trial.inputs.offset = bytes / size;
  trial.variant += fmt::format("{}offset {}", trial.variant.empty() ? "" : ", ", bytes);
}

void add_case(std::vector<Planned>& plan, const CompareOptions& options, const Operation& op, CaseId id,
              const std::vector<std::vector<std::int64_t>>& shapes, const std::optional<NpyArray>& file) {
  const auto found = std::find(op.cases.begin(), op.cases.end(), id);
  if (found == op.cases.end()) return;
  std::vector<std::vector<Trial>> trials;
  for (const auto& shape : shapes) {
    trials.push_back(shape.size() == 1 ? op.benchmarks(id, shape[0], options.seed)
                                       : op.benchmarks(id, shape, options.seed));
  }
  if (shapes.empty()) {
    // No cache holds this. A GPU is fast enough for more, but to make data for all operations would take minutes.
    const bool any_size = why_no_device().empty() && !options.operation.empty();
    const double most = any_size ? std::numeric_limits<double>::infinity() : 256e6;
    for (const std::int64_t n : op.bench_sizes) {
      std::vector<Trial> of_size = op.benchmarks(id, n, options.seed);
      if (trials.empty() || op.work(id, of_size[0]).bytes <= most) trials.push_back(std::move(of_size));
    }
  }
  for (std::vector<Trial>& of_shape : trials) {
    for (Trial& trial : of_shape) {
      if (file) trial.inputs = {Values::real, 0, 0, file->data};
      if (options.offset > 0) shift(trial, id, options.offset);
      plan.push_back({&op, static_cast<int>(found - op.cases.begin()), std::move(trial)});
    }
  }
}

/// The two that everybody knows come first, then operations on arrays of rank 1, which are done soonest.
int turn_of(const Operation* op) {
  if (op->name == "reduce") return 0;
  if (op->name == "scan") return 1;
  return op->extents.empty() ? 2 : 3;
}

std::vector<Planned> plan_of(const CompareOptions& options, const std::optional<NpyArray>& file) {
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
  std::vector<const Operation*> in_turn;
  for (const auto& op : operations()) in_turn.push_back(op.get());
  std::ranges::stable_sort(in_turn, {}, turn_of);
  for (const Operation* op : in_turn) {
    if (!options.operation.empty() && op != &operation(options.operation)) continue;
    // A size or a file for all operations speaks of arrays of rank 1.
    if (options.operation.empty() && !shapes.empty() && !op->extents.empty()) continue;
    for (const Type type : types.empty() ? std::vector{op->default_type()} : types) {
      for (const OperatorId which : operators) add_case(plan, options, *op, {type, which}, shapes, file);
    }
  }
  if (plan.empty()) throw InvalidArgument("no operation takes these types with these operators and shapes");
  return plan;
}

/// The shape that `tandem audit` drew from a number.
std::vector<Planned> drawn(const CompareOptions& options) {
  if (options.operation.empty())
    throw InvalidArgument("--draw needs an operation, as tandem audit prints it");
  const Operation& op = operation(options.operation);
  auto [case_index, trial] = op.draw(*options.drawn, parse_size(options.largest, "--largest"));
  return {{&op, case_index, std::move(trial)}};
}

// --- what a table says ---

std::string percent(double share) { return fmt::format("{:.0f} %", share * 100); }
std::string ratio(std::optional<double> r) { return r ? fmt::format("{:.2f}", *r) : std::string(); }
std::string title(const Operation& op, CaseId id, const Trial& trial) {
  return table_title(op.name, id.str(), extents(trial), trial.variant);
}

/// What else is to be said of a row that has a time.
std::string notes(const Row& row) {
  std::vector<std::string> all;
  if (row.alone) all.push_back("without the copies that a caller has to make");
  if (row.implementation->reduced_precision())
    all.push_back("reduced precision: a bound of its own, no rival");
  if (row.automatic) all.push_back("the automatic choice");
  if (row.early.value_or(false)) all.push_back("starts early");
  return fmt::format("{}", fmt::join(all, "; "));
}

std::string of_bound(Comparison& comparison, const Group& group, const Row& row) {
  if (const auto fraction = comparison.bound_fraction(group, row)) return percent(*fraction);
  return row.competes() && has_rate(group.method) ? "in cache" : "";
}

/// What the check said of a row that is not wrong.
std::string right(const Row& row) { return row.outside_promise ? "outside its promise" : "right"; }

/// The rows without a time, those that share a place and a reason in one line.
void print_untimed(const Group& group) {
  std::vector<std::pair<const Row*, int>> folded;
  for (const Row& row : group.rows) {
    if (row.timed || row.wrong()) continue;
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
    print_note(fmt::format("{}: {}{}", what, row->checked ? right(*row) + ", " : "", row->reason),
               Colour::dim);
  }
}

/// What a time means, in three cells: a rate, or from end to end the shares of its phases.
std::array<std::string, 3> meaning(Comparison& comparison, const Group& group, const Row& row) {
  if (const auto phases = row.median_phases()) {
    return {percent(phases->there / phases->all()), percent(phases->call / phases->all()),
            percent(phases->back / phases->all())};
  }
  if (!has_rate(group.method)) return {};
  return {fmt::format("{:.4g}", group.rate(row)), of_bound(comparison, group, row),
          fmt::format("{:.3g}", group.intensity())};
}

void print(Comparison& comparison, const Group& group, const CompareOptions& options) {
  print_heading(fmt::format("{} ({})", title(*group.operation, group.id(), group.trial), name(group.method)));
  const bool phases = is_end_to_end(group.method);
  Table table({"implementation", "place", "time", "spread", phases ? "there" : group.unit(),
               phases ? "call" : "of bound", phases ? "back" : "flop/byte", "x vendor", "x step before",
               "error", "note"});
  table.may_leave_out({"flop/byte", "error", "x step before", "place", "spread"});
  for (const Row& row : group.rows) {
    const Implementation& i = *row.implementation;
    const std::string error = row.checked ? fmt::format("{:.2g}", row.verdict.worst) : "";
    if (row.timed) {
      const auto [first, second, third] = meaning(comparison, group, row);
      table.add({row.name(), name(i.place), show_time(row.time.seconds),
                 row.time.samples.size() > 1 ? fmt::format("{:.1f} %", row.time.spread * 100) : "–", first,
                 second, third, ratio(group.vs_vendor(row)), ratio(group.vs_previous(row)), error,
                 notes(row)});
    } else if (row.wrong()) {
      table.add({i.name, name(i.place), "WRONG", "", "", "", "", "", "", error, row.reason}, Colour::bad);
    } else if (options.all) {
      table.add({i.name, name(i.place), row.checked ? right(row) : "not run", "", "", "", "", "", "", error,
                 row.reason},
                Colour::dim);
    }
  }
  table.print();
  if (!options.all) print_untimed(group);
  std::fflush(stdout);
}

/// Where the GPU overtakes the CPU from end to end: a line for each case, over its sizes.
void print_crossings(const Comparison& comparison) {
  std::vector<std::pair<std::string, std::vector<BothPlaces>>> cases;
  for (const Group& group : comparison.groups()) {
    const auto fastest = [&](Place place) {
      double least = std::numeric_limits<double>::infinity();
      for (const Row& row : group.rows) {
        if (row.competes() && row.implementation->place == place) least = std::min(least, row.time.seconds);
      }
      return least;
    };
    const BothPlaces size{extents(group.trial), fastest(Place::host), fastest(Place::device)};
    if (!is_end_to_end(group.method) || std::isinf(size.host) || std::isinf(size.device)) continue;
    const std::string what = of_method(
        table_title(group.operation->name, group.id().str(), "", group.trial.variant), name(group.method));
    auto of_case = std::ranges::find(cases, what, [](const auto& c) { return c.first; });
    if (of_case == cases.end()) of_case = cases.insert(of_case, {what, {}});
    of_case->second.push_back(size);
  }
  for (const auto& [what, sizes] : cases) print_note(what + ": " + crossing(sizes));
}

/// One trial by several methods, one beside the other.
void print_methods(std::span<const Group* const> groups) {
  std::vector<std::string> head{"time"};
  for (const Group* group : groups) head.emplace_back(name(group->method));
  head.emplace_back("note");
  Table table(head);
  std::vector<std::pair<std::string, const Row*>> names;  // in the order of the rows
  for (const Group* group : groups) {
    for (const Row& row : group->rows) {
      const bool known = std::ranges::any_of(names, [&](const auto& n) { return n.first == row.name(); });
      if (row.timed && !known) names.emplace_back(row.name(), &row);
    }
  }
  for (const auto& [row_name, first] : names) {
    std::vector<std::string> cells{row_name};
    for (const Group* group : groups) {
      const auto row = std::ranges::find_if(
          group->rows, [&, &row_name = row_name](const Row& r) { return r.timed && r.name() == row_name; });
      cells.push_back(row == group->rows.end() ? "" : show_time(row->time.seconds));
    }
    cells.push_back(notes(*first));
    table.add(cells);
  }
  print_heading(title(*groups[0]->operation, groups[0]->id(), groups[0]->trial));
  table.print();
}

/// What is said when all tables are there.
void print_end(Comparison& comparison, const CompareOptions& options) {
  comparison.print_bounds();
  print_note(
      fmt::format("time: median of {} repetitions, {}; of one, spread –, where a call takes over 0.25 s and "
                  "ten times as long as the fastest; x vendor: against the fastest vendor row of the same "
                  "place; error: the worst ÷ what is allowed",
                  options.repetitions, fmt::join(options.methods, ", ")));
  if (const auto spread = comparison.busy()) {
    print_note(
        fmt::format("this machine is busy: times on the CPU spread by {}; close other programs and run again",
                    percent(*spread)),
        Colour::bad);
  }
  if (options.operation.empty() && options.json.empty())
    print_note(
        "next: tandem audit (random shapes) | tandem trace KERNEL (what it does to memory) | tandem list");
}

Json to_json(Comparison& comparison, const Group& group) {
  Json rows = Json::array();
  for (const Row& row : group.rows) rows.push_back(comparison.to_json(group, row));
  return rows;
}

}  // namespace

std::vector<Method> methods_of(const CompareOptions& options) {
  std::vector<Method> methods;
  for (const std::string& method : options.methods) methods.push_back(parse_method(method, true));
  return methods;
}

std::vector<std::vector<std::int64_t>> asked_shapes(const CompareOptions& options) {
  std::vector<std::vector<std::int64_t>> shapes;
  for (const std::string& shape : options.shapes) shapes.push_back(parse_shape(shape, "--shape"));
  for (const std::string& n : options.n) shapes.push_back({parse_size(n, "--n")});
  return shapes;
}

bool compare(const CompareOptions& options) {
  const std::vector<Method> methods = methods_of(options);
  if (!options.json.empty()) require_writable(options.json);
  const Baseline baseline(options.baseline);
  for (const std::string& part : options.only) {
    if (matching(part).empty()) throw InvalidArgument(none_matches("--only", part));
  }
  std::optional<NpyArray> file;
  if (!options.in.empty()) file = read_array(options.in, 1);
  Summary summary;
  for (const std::string& earlier : options.after) summary.add_file(earlier);
  Comparison comparison(options.repetitions, options.seed);
  const std::vector<Planned> plan = options.drawn ? drawn(options) : plan_of(options, file);
  const auto rows_of = [&](const Planned& planned, Method method) {
    const auto& [operation, case_index, trial] = planned;
    const CaseId id = operation->cases[static_cast<std::size_t>(case_index)];
    std::vector<const Implementation*> rows = wanted(options, *operation);
    const std::string table = of_method(title(*operation, id, trial), name(method));
    std::erase_if(rows, [&](auto* row) { return summary.holds(table, row->name); });
    return rows;
  };
  std::size_t all_rows = 0;
  for (const Planned& planned : plan) {
    for (const Method method : methods) all_rows += rows_of(planned, method).size();
  }
  for (const Planned& planned : plan) {
    std::vector<const Group*> of_trial;
    for (const Method method : methods) {
      const std::vector<const Implementation*> rows = rows_of(planned, method);
      if (rows.empty() && !options.after.empty()) continue;
      of_trial.push_back(
          &comparison.run(*planned.operation, planned.case_index, planned.trial, method, rows, all_rows));
      if (options.csv)
        print_csv(to_json(comparison, *of_trial.back()), comparison.groups().size() == 1);
      else
        print(comparison, *of_trial.back(), options);
    }
    if (of_trial.size() > 1 && !options.csv) print_methods(of_trial);
  }
  if (options.after.empty()) comparison.require_something();
  Json rows = Json::array();
  for (const Group& group : comparison.groups()) {
    for (Json& row : to_json(comparison, group)) summary.add(rows.emplace_back(std::move(row)));
  }
  if (plan.size() > 1 && !options.csv) summary.print();
  if (!options.csv) print_crossings(comparison);
  if (!options.csv) print_end(comparison, options);
  if (!options.json.empty())
    write_file(options.json, Json{{"machine", comparison.machine()}, {"rows", rows}}.dump(1) + "\n");
  const Baseline::Verdict verdict = baseline.verdict(rows);
  std::FILE* const out = options.csv ? stderr : stdout;
  for (const std::string& line : verdict.faster) fmt::print(out, "{}\n", paint(line, Colour::good));
  for (const std::string& line : verdict.slower) fmt::print(out, "{}\n", paint(line, Colour::bad));
  if (!verdict.counts.empty()) fmt::print(out, "{}\n", verdict.counts);
  return comparison.correct() && verdict.slower.empty();
}

}  // namespace tandem::command
