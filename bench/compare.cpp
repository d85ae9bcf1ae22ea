// tandem compare: correctness and speed of every implementation, side by side, in one run.

#include <fmt/format.h>

#include <ctime>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "bench/bounds.h"
#include "bench/command.h"
#include "bench/measure.h"
#include "bench/text.h"
#include "lib/core/error.h"
#include "lib/core/npy.h"

namespace tandem::command {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string operation, in, json, baseline, only, place, method = "hot";
  std::vector<std::string> n, shapes, types, operators{"plus"};
  std::uint64_t seed = 1;
  int repetitions = 11;
};

struct Row {
  const Implementation* implementation = nullptr;
  bool checked = false;
  Verdict verdict;
  std::string reason;                // why it was not run or not timed
  std::optional<std::size_t> timed;  // index in the measurement
  Timing time;
};

/// One table: a trial and what every implementation of the operation makes of it.
struct Group {
  const Operation* operation;
  int case_index;
  Trial trial;
  std::map<bool, std::unique_ptr<Problem>> problems;  // by "on the device"
  std::vector<Row> rows;

  CaseId id() const { return operation->cases[static_cast<std::size_t>(case_index)]; }
};

/// What bounds a group of rows: read or copy bandwidth, or the rate of multiply-adds of one type.
struct BoundKey {
  bool on_device;
  Bound bound;
  Type type;  // f32 but for Bound::flops
  auto operator<=>(const BoundKey&) const = default;
  std::string name() const {
    if (bound == Bound::flops) return fmt::format("multiply-add {}", tandem::name(type));
    return bound == Bound::read ? "read" : "copy";
  }
};

class Comparison {
 public:
  explicit Comparison(const Options& options) : options_(options) {
    for (const Method m : {Method::hot, Method::cold, Method::graph}) {
      if (options.method == name(m)) method_ = m;
    }
  }

  /// False when a result is wrong or slower than the baseline.
  bool run() {
    if (!options_.json.empty()) require_writable(options_.json);
    read_baseline();
    collect_groups();
    for (Group& group : groups_) fill(group);
    require_something_to_run();
    measure();
    Json rows = Json::array();
    for (const Group& group : groups_) {
      print(group);
      for (const Row& row : group.rows) rows.push_back(to_json(group, row));
    }
    print_bounds();
    bool good = true;
    for (const Group& group : groups_) {
      for (const Row& row : group.rows) good &= row.verdict.correct;
    }
    good &= no_regression(rows);
    if (!options_.json.empty())
      write_file(options_.json, Json{{"machine", machine()}, {"rows", rows}}.dump(1) + "\n");
    return good;
  }

 private:
  void collect_groups() {
    if (!options_.in.empty()) file_ = read_vector(options_.in);
    std::vector<std::vector<std::int64_t>> shapes;
    for (const std::string& shape : options_.shapes) shapes.push_back(parse_shape(shape, "--shape"));
    for (const std::string& n : options_.n) shapes.push_back({parse_size(n, "--n")});
    if (file_) shapes = {{file_->size()}};
    std::vector<Type> types;
    for (const std::string& type : options_.types) types.push_back(parse_type(type));
    if (file_) types = {file_->type};
    std::vector<OperatorId> operators{
        OperatorId::none};  // an operation without operators has cases of this one
    for (const std::string& op : options_.operators) operators.push_back(parse_operator(op));
    for (const auto& op : operations()) {
      if (!options_.operation.empty() && op.get() != &operation(options_.operation)) continue;
      // A size or a file for all operations speaks of arrays of rank 1.
      if (options_.operation.empty() && !shapes.empty() && !op->extents.empty()) continue;
      // Without --type, f32 where the operation has it, else its first type.
      const bool has_f32 =
          std::any_of(op->cases.begin(), op->cases.end(), [](CaseId id) { return id.type == Type::f32; });
      for (const Type type : types.empty() ? std::vector{has_f32 ? Type::f32 : op->cases[0].type} : types) {
        for (const OperatorId which : operators) add_groups(*op, {type, which}, shapes);
      }
    }
    if (groups_.empty()) throw InvalidArgument("no operation takes these types with these operators");
  }

  void add_groups(const Operation& op, CaseId id, const std::vector<std::vector<std::int64_t>>& shapes) {
    const auto found = std::find(op.cases.begin(), op.cases.end(), id);
    if (found == op.cases.end()) return;
    std::vector<std::vector<Trial>> wanted;
    for (const auto& shape : shapes) {
      wanted.push_back(shape.size() == 1 ? op.benchmarks(id, shape[0], options_.seed)
                                         : op.benchmarks(id, shape, options_.seed));
    }
    if (shapes.empty()) {
      for (const std::int64_t n : op.bench_sizes) wanted.push_back(op.benchmarks(id, n, options_.seed));
    }
    for (std::vector<Trial>& trials : wanted) {
      for (Trial& trial : trials) {
        if (file_) trial.inputs = {Values::real, 0, 0, file_->data};
        groups_.push_back({&op, static_cast<int>(found - op.cases.begin()), std::move(trial), {}, {}});
      }
    }
  }

  // A comparison of nothing is an error, not a success.
  void require_something_to_run() const {
    std::string reason;
    for (const Group& group : groups_) {
      for (const Row& row : group.rows) {
        if (row.checked) return;
        if (reason.empty()) reason = row.implementation->name + ": " + row.reason;
      }
    }
    if (reason.empty())
      throw InvalidArgument("no implementation matches --only and --place; see: tandem list");
    throw Unavailable(reason);
  }

  // Checks every implementation of the group, and sets up the timing of those that are right.
  void fill(Group& group) {
    const Operation& op = *group.operation;
    std::unique_ptr<Problem> small;  // for the executor
    Trial small_trial = group.trial;
    // The executor runs kernels for their results alone, so it is given no more than shows that they are right.
    if (op.work(group.id(), group.trial).operations >
        op.work(group.id(), op.benchmarks(group.id(), op.executor_size, options_.seed).at(0)).operations) {
      small_trial = op.benchmarks(group.id(), op.executor_size, options_.seed).at(0);
      if (file_) small_trial.inputs = group.trial.inputs;
    }
    for (const Implementation& i : implementations()) {
      if (i.operation != op.name || i.name.find(options_.only) == std::string::npos) continue;
      if (!options_.place.empty() && options_.place != name(i.place)) continue;
      progress_.show(fmt::format("checking {} {} {}", i.name, group.id().str(), group.trial.str()));
      Row row;
      row.implementation = &i;
      row.reason = i.unavailable();
      Context* ctx = contexts_.of(i.place);
      const bool on_executor = i.place == Place::simt;
      const Trial& trial = on_executor ? small_trial : group.trial;
      if (row.reason.empty()) row.reason = i.refusal(op.shape(trial), group.id());
      if (row.reason.empty() && method_ == Method::graph) {
        if (i.place != Place::device)
          row.reason = "a CUDA graph needs a GPU";
        else if (i.synchronises)
          row.reason = "returns to the host: no graph";
      }
      if (row.reason.empty()) {
        auto& problem = on_executor ? small : group.problems[i.place == Place::device];
        if (!problem) problem = op.make(*ctx, group.case_index, trial);
        row.checked = true;
        row.verdict = check(i, group.case_index, *problem, *ctx, trial.n);
        if (!row.verdict.correct)
          row.reason = row.verdict.text;
        else if (on_executor)
          row.reason = fmt::format("checked on the CPU at {}; no time", extents(trial));
        else
          row.timed = time(i, group.case_index, *problem, *ctx);
      }
      group.rows.push_back(std::move(row));
    }
  }

  std::size_t time(const Implementation& i, int case_index, Problem& problem, Context& ctx) {
    const void* args = problem.args();
    auto work = [&i, case_index, args, &ctx] { tandem::run(i, case_index, args, ctx, "timed"); };
    return measurement_.add(sampler(ctx, work, method_, ctx.place() == Place::device ? 0.004 : 0.02));
  }

  void measure() {
    std::map<BoundKey, std::pair<std::size_t, double>>
        bounds;  // row of the measurement, and what a pass does
    const auto add = [&](BoundKey key, auto loop, double amount) {
      Context& ctx = *contexts_.of(key.on_device ? Place::device : Place::host);
      bounds[key] = {measurement_.add(sampler(
                         ctx, [loop] { (*loop)(); }, Method::hot, 0)),
                     amount};
    };
    for (const bool on_device : {false, true}) {
      Context* ctx = contexts_.of(on_device ? Place::device : Place::host);
      if (!ctx) continue;
      for (const Bound bound : {Bound::read, Bound::copy}) {
        const auto stream = std::make_shared<Stream>(*ctx, bound);
        add({on_device, bound, Type::f32}, stream, stream->bytes());
      }
      for (const Group& group : groups_) {
        const BoundKey key = bound_key(group, on_device);
        if (key.bound != Bound::flops || bounds.contains(key)) continue;
        const auto loop = std::make_shared<MultiplyAdds>(*ctx, key.type);
        add(key, loop, loop->operations());
      }
    }
    const auto timings = measurement_.run(options_.repetitions, [&](std::size_t done) {
      progress_.show(fmt::format("timing: {} samples", done));
    });
    for (const auto& [key, row] : bounds) rates_[key] = row.second / timings[row.first].seconds;
    for (Group& group : groups_) {
      for (Row& row : group.rows) {
        if (row.timed) row.time = timings[*row.timed];
      }
    }
  }

  // --- what a row says ---

  static std::string extents(const Trial& trial) {
    return trial.extents.empty() ? "n = " + show_size(trial.n) : trial.extents;
  }
  static BoundKey bound_key(const Group& group, bool on_device) {
    const Bound bound = group.operation->bound;
    return {on_device, bound, bound == Bound::flops ? group.id().type : Type::f32};
  }
  static const char* unit(const Group& group) {
    return group.operation->bound == Bound::flops ? "GFLOP/s" : "GB/s";
  }
  double work_bytes(const Group& group) const { return group.operation->work(group.id(), group.trial).bytes; }
  /// In units of 10^9 per second: bytes, or floating-point operations where these bound the operation.
  double rate(const Group& group, const Row& row) const {
    const Work work = group.operation->work(group.id(), group.trial);
    return (group.operation->bound == Bound::flops ? work.operations : work.bytes) / row.time.seconds * 1e-9;
  }

  /// Computational intensity: operations per byte that must move. The flops of real arithmetic.
  double intensity(const Group& group) const {
    const Work work = group.operation->work(group.id(), group.trial);
    return work.operations / work.bytes;
  }

  /// Share of the bound; none where the data fits in a cache, of which a bandwidth does not speak.
  std::optional<double> bound_fraction(const Group& group, const Row& row) {
    const bool on_device = row.implementation->place == Place::device;
    if (group.operation->bound != Bound::flops && method_ != Method::cold &&
        work_bytes(group) <
            2.0 * static_cast<double>(contexts_.of(row.implementation->place)->backend()->cache_bytes())) {
      return {};
    }
    return rate(group, row) * 1e9 / rates_[bound_key(group, on_device)];
  }
  /// Time of the fastest vendor row of the same place and precision ÷ this row's.
  static std::optional<double> vs_vendor(const Group& group, const Row& row) {
    double best = 0;
    for (const Row& other : group.rows) {
      if (other.timed && other.implementation->path == "vendor" && !other.implementation->reduced_precision &&
          other.implementation->place == row.implementation->place) {
        if (best == 0 || other.time.seconds < best) best = other.time.seconds;
      }
    }
    if (best == 0) return {};
    return best / row.time.seconds;
  }
  /// Time of the last timed step of the ladder before this one ÷ this row's.
  static std::optional<double> vs_previous(const Group& group, const Row& row) {
    std::optional<double> ratio;
    if (row.implementation->path != "custom") return ratio;
    for (const Row& other : group.rows) {
      if (&other == &row) break;
      if (other.timed && other.implementation->path == "custom" &&
          other.implementation->place == row.implementation->place) {
        ratio = other.time.seconds / row.time.seconds;
      }
    }
    return ratio;
  }

  void print(const Group& group) {
    fmt::print("\n{} {} {}{}{} ({})\n", group.operation->name, group.id().str(), extents(group.trial),
               group.trial.variant.empty() ? "" : " ", group.trial.variant, name(method_));
    Table table({"implementation", "place", "correct", "time", "spread", unit(group), "flop/byte", "of bound",
                 "x vendor", "x step before", "note"});
    const auto ratio = [](std::optional<double> r) { return r ? fmt::format("{:.2f}", *r) : std::string(); };
    for (const Row& row : group.rows) {
      const Implementation& i = *row.implementation;
      if (row.timed) {
        const auto fraction = bound_fraction(group, row);
        table.add({i.name, name(i.place), fmt::format("yes ({:.2g})", row.verdict.worst),
                   show_time(row.time.seconds), fmt::format("{:.1f} %", row.time.spread * 100),
                   fmt::format("{:.4g}", rate(group, row)), fmt::format("{:.3g}", intensity(group)),
                   fraction ? fmt::format("{:.0f} %", *fraction * 100) : "in cache",
                   ratio(vs_vendor(group, row)), ratio(vs_previous(group, row)),
                   i.reduced_precision ? "reduced precision: a bound of its own, no rival" : ""});
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

  void print_bounds() {
    fmt::print("\n");
    for (const auto& [key, rate] : rates_) {
      fmt::print("bound: {} {} {:.4g} {}\n",
                 key.on_device ? contexts_.device->description() : contexts_.host.description(), key.name(),
                 rate * 1e-9, key.bound == Bound::flops ? "GFLOP/s" : "GB/s");
    }
    fmt::print(
        "correct (worst error ÷ allowed error); time: median of {} repetitions, {}; x vendor: against the "
        "fastest "
        "vendor row of the same place\n",
        options_.repetitions, name(method_));
  }

  Json to_json(const Group& group, const Row& row) {
    const Implementation& i = *row.implementation;
    const auto maybe = [&](auto value) { return row.timed ? Json(value) : Json(nullptr); };
    const auto ratio = [&](std::optional<double> r) { return row.timed && r ? Json(*r) : Json(nullptr); };
    return {{"operation", group.operation->name},
            {"implementation", i.name},
            {"path", i.path},
            {"place", name(i.place)},
            {"reduced_precision", i.reduced_precision},
            {"type", name(group.id().type)},
            {"op", name(group.id().op)},
            {"variant", group.trial.variant},
            {"n", group.trial.n},
            {"shape", group.trial.extents},
            {"correct", row.checked ? Json(row.verdict.correct) : Json(nullptr)},
            {"worst_error",
             row.checked && std::isfinite(row.verdict.worst) ? Json(row.verdict.worst) : Json(nullptr)},
            {"time_ns", maybe(row.time.seconds * 1e9)},
            {"spread", maybe(row.time.spread)},
            {"method", name(method_)},
            {"rate", row.timed ? Json(rate(group, row)) : Json(nullptr)},
            {"unit", unit(group)},
            {"flop_per_byte", intensity(group)},
            {"bound_fraction", row.timed ? ratio(bound_fraction(group, row)) : Json(nullptr)},
            {"vs_vendor", ratio(vs_vendor(group, row))},
            {"vs_previous", ratio(vs_previous(group, row))},
            {"reason", row.reason}};
  }

  Json machine() {
    char date[32];
    const std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    Json bounds = Json::object(), arithmetic = Json::object();
    for (const auto& [key, rate] : rates_) {
      const std::string place = key.on_device ? "device_" : "host_";
      if (key.bound == Bound::flops)
        arithmetic[place + std::string(name(key.type))] = rate * 1e-9;
      else
        bounds[place + key.name()] = rate * 1e-9;
    }
    return {{"date", date},
            {"host", contexts_.host.description()},
            {"device", contexts_.device ? Json(contexts_.device->description()) : Json(nullptr)},
            {"method", name(method_)},
            {"repetitions", options_.repetitions},
            {"bounds_gb_per_s", bounds},
            {"bounds_gflop_per_s", arithmetic}};
  }

  static std::string key(const Json& row) {
    return Json{row.at("implementation"), row.at("type"),  row.at("op"), row.at("variant"), row.at("n"),
                row.value("shape", ""),   row.at("method")}
        .dump();
  }

  void read_baseline() {
    if (options_.baseline.empty()) return;
    std::ifstream file(options_.baseline);
    if (!file) throw BadFile(options_.baseline, "no such file; it must be one written by compare --json");
    try {
      const Json content = Json::parse(file);
      for (const Json& row : content.at("rows")) {
        if (!row.at("time_ns").is_null()) baseline_[key(row)] = {row.at("time_ns"), row.at("spread")};
      }
    } catch (const Json::exception& error) {
      throw BadFile(options_.baseline,
                    fmt::format("is not a file written by compare --json ({})", error.what()));
    }
  }

  // Slower than in the old file by more than both spreads and a tenth: a regression.
  bool no_regression(const Json& rows) const {
    bool good = true;
    std::size_t compared = 0;
    for (const Json& row : rows) {
      const auto found = baseline_.find(key(row));
      if (found == baseline_.end() || row["time_ns"].is_null()) continue;
      ++compared;
      const auto [was, old_spread] = found->second;
      const double is = row["time_ns"], noise = 0.1 + old_spread + row["spread"].get<double>();
      if (is <= was * (1 + noise)) continue;
      good = false;
      fmt::print("{}\n",
                 paint(fmt::format("regression: {} n = {}: {} was {}, beyond the noise of {:.0f} %",
                                   row["implementation"].get<std::string>(), row["n"].get<std::int64_t>(),
                                   show_time(is * 1e-9), show_time(was * 1e-9), noise * 100),
                       Colour::bad));
    }
    if (!options_.baseline.empty() && compared == 0) {
      throw InvalidArgument(fmt::format("{} holds none of the rows of this run", options_.baseline));
    }
    return good;
  }

  const Options& options_;
  Method method_ = Method::hot;
  Contexts contexts_;
  std::optional<NpyArray> file_;
  std::vector<Group> groups_;
  Measurement measurement_;
  std::map<BoundKey, double> rates_;                           // bytes or operations per second
  std::map<std::string, std::pair<double, double>> baseline_;  // time in ns and spread, by key
  Progress progress_;
};

}  // namespace

void add_compare(CLI::App& app) {
  auto* sub = app.add_subcommand("compare",
                                 "Correctness and speed of every implementation, side by side, in one run");
  static Options options;
  sub->add_option("operation", options.operation, "reduce, scan, transform, …; all when left out");
  auto* n =
      sub->add_option("--n", options.n, "Sizes, e.g. 64K,16M (powers of 1024); 1K means 1K x 1K matrices")
          ->delimiter(',');
  auto* shape = sub->add_option("--shape", options.shapes,
                                "Shapes, e.g. 1000x2K (transpose), 4Kx4Kx64 (gemm: m x n x k)")
                    ->delimiter(',');
  auto* type =
      sub->add_option("--type", options.types,
                      "Element types: f16, f32, f64, i8, i32, i64, u32; unless given f32, or the first that "
                      "the operation takes")
          ->delimiter(',');
  sub->add_option("--op", options.operators,
                  "plus, multiplies, minimum, maximum, logical_and, logical_or; of transform: plus, negate, "
                  "square, axpy, multiply_add, dot2")
      ->delimiter(',')
      ->capture_default_str();
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
  sub->add_option("--repetitions", options.repetitions, "Of each row, shuffled")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  sub->add_option("--seed", options.seed, "Of the data")->capture_default_str();
  sub->add_option("--json", options.json, "Write the rows to this file");
  sub->add_option("--baseline", options.baseline,
                  "Exit 1 if a row is slower than in this file, beyond noise");
  sub->footer(
      "A wrong result has no time; exit status 1 says that there is one.\nExample: tandem compare scan --n "
      "1M,64M --type f32,f64 --json scan.json");
  sub->callback([] { exit_code = Comparison(options).run() ? kSuccess : kWrongResult; });
}

}  // namespace tandem::command
