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
  std::vector<std::string> n, types{"f32"}, operators{"plus"};
  std::uint64_t seed = 1;
  int repetitions = 11;
};

// The executor runs kernels for their results alone; beyond this a row only says that it was checked at this
// size.
constexpr std::int64_t kLargestOnExecutor = 10007;

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

struct Bandwidths {
  std::map<std::pair<bool, Bound>, double> bytes_per_second;  // by "on the device" and kind
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
    std::vector<std::string> names;
    for (const auto& op : operations()) names.push_back(op->name);
    if (!options_.operation.empty()) names = {operation(options_.operation).name};
    std::vector<std::string> sizes =
        options_.n.empty() ? std::vector<std::string>{"64K", "1M", "16M", "64M"} : options_.n;
    if (file_) sizes = {std::to_string(file_->size())};
    std::vector<std::string> types =
        file_ ? std::vector<std::string>{std::string(name(file_->type))} : options_.types;
    for (const std::string& n : sizes) parse_size(n, "--n");
    for (const std::string& which : names) {
      for (const std::string& type : types) {
        for (const std::string& op : options_.operators) {
          add_groups(operation(which), {parse_type(type), parse_operator(op)}, sizes);
        }
      }
    }
    if (groups_.empty()) throw InvalidArgument("no operation takes these types with these operators");
  }

  void add_groups(const Operation& op, CaseId id, const std::vector<std::string>& sizes) {
    const auto found = std::find(op.cases.begin(), op.cases.end(), id);
    if (found == op.cases.end()) return;
    for (const std::string& n : sizes) {
      for (Trial& trial : op.benchmarks(id, parse_size(n, "--n"), options_.seed)) {
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
    if (group.trial.n > kLargestOnExecutor) {
      small_trial = op.benchmarks(group.id(), kLargestOnExecutor, options_.seed).at(0);
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
          row.reason = fmt::format("checked on the CPU at n = {}; no time", trial.n);
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
    std::map<std::pair<bool, Bound>, std::size_t> bounds;
    std::vector<std::unique_ptr<Stream>> streams;
    for (const bool on_device : {false, true}) {
      Context* ctx = contexts_.of(on_device ? Place::device : Place::host);
      if (!ctx) continue;
      for (const Bound bound : {Bound::read, Bound::copy}) {
        streams.push_back(std::make_unique<Stream>(*ctx, bound));
        bounds[{on_device, bound}] = measurement_.add(sampler(
            *ctx, [s = streams.back().get()] { (*s)(); }, Method::hot, 0));
      }
    }
    const auto timings = measurement_.run(options_.repetitions, [&](std::size_t done) {
      progress_.show(fmt::format("timing: {} samples", done));
    });
    std::size_t stream = 0;
    for (const auto& [key, index] : bounds) {
      bandwidths_.bytes_per_second[key] = streams[stream++]->bytes() / timings[index].seconds;
    }
    for (Group& group : groups_) {
      for (Row& row : group.rows) {
        if (row.timed) row.time = timings[*row.timed];
      }
    }
  }

  // --- what a row says ---

  double work_bytes(const Group& group) const { return group.operation->work(group.id(), group.trial).bytes; }
  double gb_per_s(const Group& group, const Row& row) const {
    return work_bytes(group) / row.time.seconds * 1e-9;
  }

  /// Computational intensity: operations per byte that must move. The flops of real arithmetic.
  double intensity(const Group& group) const {
    const Work work = group.operation->work(group.id(), group.trial);
    return work.operations / work.bytes;
  }

  /// Share of the bandwidth bound; none where the data fits in a cache, which the bound does not speak of.
  std::optional<double> bound_fraction(const Group& group, const Row& row) {
    const bool on_device = row.implementation->place == Place::device;
    if (method_ != Method::cold &&
        work_bytes(group) <
            2.0 * static_cast<double>(contexts_.of(row.implementation->place)->backend()->cache_bytes())) {
      return {};
    }
    return gb_per_s(group, row) * 1e9 / bandwidths_.bytes_per_second[{on_device, group.operation->bound}];
  }
  /// Time of the fastest vendor row of the same place ÷ this row's.
  static std::optional<double> vs_vendor(const Group& group, const Row& row) {
    double best = 0;
    for (const Row& other : group.rows) {
      if (other.timed && other.implementation->path == "vendor" &&
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
    fmt::print("\n{} {} n = {}{}{} ({})\n", group.operation->name, group.id().str(), show_size(group.trial.n),
               group.trial.variant.empty() ? "" : " ", group.trial.variant, name(method_));
    Table table({"implementation", "place", "correct", "time", "spread", "GB/s", "flop/byte", "of bound",
                 "x vendor", "x step before", "note"});
    const auto ratio = [](std::optional<double> r) { return r ? fmt::format("{:.2f}", *r) : std::string(); };
    for (const Row& row : group.rows) {
      const Implementation& i = *row.implementation;
      if (row.timed) {
        const auto fraction = bound_fraction(group, row);
        table.add({i.name, name(i.place), fmt::format("yes ({:.2g})", row.verdict.worst),
                   show_time(row.time.seconds), fmt::format("{:.1f} %", row.time.spread * 100),
                   fmt::format("{:.4g}", gb_per_s(group, row)), fmt::format("{:.3g}", intensity(group)),
                   fraction ? fmt::format("{:.0f} %", *fraction * 100) : "in cache",
                   ratio(vs_vendor(group, row)), ratio(vs_previous(group, row))});
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
    for (const auto& [key, rate] : bandwidths_.bytes_per_second) {
      fmt::print("bound: {} {} {:.4g} GB/s\n",
                 key.first ? contexts_.device->description() : contexts_.host.description(),
                 key.second == Bound::read ? "read" : "copy", rate * 1e-9);
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
            {"type", name(group.id().type)},
            {"op", name(group.id().op)},
            {"variant", group.trial.variant},
            {"n", group.trial.n},
            {"correct", row.checked ? Json(row.verdict.correct) : Json(nullptr)},
            {"worst_error",
             row.checked && std::isfinite(row.verdict.worst) ? Json(row.verdict.worst) : Json(nullptr)},
            {"time_ns", maybe(row.time.seconds * 1e9)},
            {"spread", maybe(row.time.spread)},
            {"method", name(method_)},
            {"gb_per_s", row.timed ? Json(gb_per_s(group, row)) : Json(nullptr)},
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
    Json bounds = Json::object();
    for (const auto& [key, rate] : bandwidths_.bytes_per_second) {
      bounds[std::string(key.first ? "device" : "host") + (key.second == Bound::read ? "_read" : "_copy")] =
          rate * 1e-9;
    }
    return {{"date", date},
            {"host", contexts_.host.description()},
            {"device", contexts_.device ? Json(contexts_.device->description()) : Json(nullptr)},
            {"method", name(method_)},
            {"repetitions", options_.repetitions},
            {"bounds_gb_per_s", bounds}};
  }

  static std::string key(const Json& row) {
    return Json{row.at("implementation"), row.at("type"), row.at("op"),
                row.at("variant"),        row.at("n"),    row.at("method")}
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
  Bandwidths bandwidths_;
  std::map<std::string, std::pair<double, double>> baseline_;  // time in ns and spread, by key
  Progress progress_;
};

}  // namespace

void add_compare(CLI::App& app) {
  auto* sub = app.add_subcommand("compare",
                                 "Correctness and speed of every implementation, side by side, in one run");
  static Options options;
  sub->add_option("operation", options.operation, "reduce, scan, transform, …; all when left out");
  auto* n = sub->add_option("--n", options.n, "Sizes, e.g. 64K,16M (powers of 1024)")->delimiter(',');
  auto* type = sub->add_option("--type", options.types, "Element types: f16, f32, f64, i8, i32, i64")
                   ->delimiter(',')
                   ->capture_default_str();
  sub->add_option("--op", options.operators,
                  "plus, multiplies, minimum, maximum, logical_and, logical_or; of transform: plus, negate, "
                  "square, axpy, multiply_add, dot2")
      ->delimiter(',')
      ->capture_default_str();
  sub->add_option("--in", options.in, "Take the elements of this .npy file instead of random ones")
      ->excludes(n)
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
