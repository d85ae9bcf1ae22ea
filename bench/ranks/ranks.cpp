#include "bench/ranks/ranks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <random>

#include "bench/command/command.h"
#include "bench/measure/comparison.h"
#include "bench/measure/measure.h"
#include "bench/measure/ratios.h"
#include "bench/ranks/call.h"
#include "bench/terminal.h"
#include "lib/core/names.h"
#include "lib/core/workers.h"

namespace tandem::command {
namespace {

/// The ranks of a command, and what they say together.
class Ranks {
 public:
  explicit Ranks(const std::string& place)
      : on_device_(place == "device"),
        all(Communicator::mpi(context())),
        control_(Communicator::mpi(contexts.host)) {}
  /// The largest number that a rank has.
  double greatest(double mine) { return reduce(control_, View<const double>{&mine, 1}, maximum); }
  std::uint64_t sum(std::uint64_t mine) { return reduce(control_, View<const std::uint64_t>{&mine, 1}); }
  bool prints() const { return all.rank() == 0; }
  /// "4 ranks with 1 thread each on AMD EPYC, 2 threads"
  std::string str() {
    if (on_device_) return fmt::format("{} ranks with a GPU each, {}", all.size(), context().description());
    return fmt::format("{} ranks with {} thread{} each on {}", all.size(), most_workers(),
                       most_workers() == 1 ? "" : "s", contexts.host.description());
  }
  const std::vector<std::vector<std::int64_t>>& timed(const RanksOperation& op) const {
    return on_device_ ? op.timed_on_gpus : op.timed;
  }

  Contexts contexts;

 private:
  Context& context() {
    if (!on_device_) return contexts.host;
    if (!contexts.device) throw Unavailable("--place device " + why_no_device());
    return *contexts.device;
  }
  const bool on_device_;

 public:
  Communicator all;

 private:
  Communicator control_;  // between the hosts
};

/// Seconds per call of the slowest rank, from samples in which all paths take turns.
class Stopwatch {
 public:
  Stopwatch(Ranks& ranks, RanksTrial& trial, std::vector<RanksPath> paths)
      : ranks_(ranks), trial_(trial), paths_(std::move(paths)) {}

  /// Of each path, and last, where there is a whole, of one rank alone.
  std::vector<Timing> run(int repetitions, std::uint64_t seed) {
    constexpr double kSample = 0.01;  // seconds
    const std::size_t rows = paths_.size() + (trial_.has_whole() ? 1 : 0);
    std::vector<int> calls(rows, 1);
    for (std::size_t row = 0; row < rows; ++row) {
      sample(row, 1);  // takes memory, wakes threads
      calls[row] = static_cast<int>(std::clamp(kSample / sample(row, 1), 1.0, 1000.0));
    }
    std::vector<std::size_t> order(rows);
    for (std::size_t row = 0; row < rows; ++row) order[row] = row;
    std::mt19937_64 random(seed);  // the same order on all ranks
    std::vector<std::vector<double>> samples(rows);
    for (int r = 0; r < repetitions; ++r) {
      std::shuffle(order.begin(), order.end(), random);
      for (const std::size_t row : order) samples[row].push_back(sample(row, calls[row]));
    }
    std::vector<Timing> times;
    for (auto& of_row : samples) times.push_back(timing_of(std::move(of_row)));
    return times;
  }

 private:
  double sample(std::size_t row, int calls) {
    const bool alone = row == paths_.size();
    ranks_.all.barrier();
    const auto start = std::chrono::steady_clock::now();
    for (int c = 0; c < calls; ++c) {
      if (!alone)
        trial_.call(paths_[row]);
      else if (ranks_.prints())  // the others wait
        trial_.alone();
    }
    ranks_.all.context().synchronize();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    return ranks_.greatest(passed.count() / calls);
  }

  Ranks& ranks_;
  RanksTrial& trial_;
  std::vector<RanksPath> paths_;
};

/// Why a path does not take a call, which all ranks then say; empty where it made it.
std::string refusal(RanksTrial& trial, const RanksPath& path) {
  try {
    trial.call(path);
    return {};
  } catch (const Unavailable& e) {
    return e.what();
  }
}

/// A path on one case, timed by all ranks.
struct Timed {
  const RanksPath* path;
  std::string refusal;  // why it is not timed
  Timing time;
  double error;       // the worst of all ranks
  double of_vendor;   // time of the fastest vendor's ÷ this one; 0: no such path
  double efficiency;  // time of one rank alone ÷ ranks · this one; 0: no whole
  double sent;        // bytes of a rank
  double gigabytes;   // of them in a second
};

double vendor_time(const std::vector<Timed>& rows) {
  double least = 0;
  for (const Timed& row : rows) {
    if (row.path->is_vendor() && row.refusal.empty() && (least == 0 || row.time.seconds < least))
      least = row.time.seconds;
  }
  return least;
}

std::vector<Timed> timed(Ranks& ranks, const RanksOperation& op, const RanksCase& c, int repetitions) {
  const auto trial = op.make(ranks.all, c);
  const double sent = ranks.greatest(trial->bytes_sent());
  std::vector<Timed> rows;
  std::vector<RanksPath> paths;
  for (const RanksPath& path : op.paths) {
    rows.push_back({&path, refusal(*trial, path), {}, 0, 0, 0, sent, 0});
    if (!rows.back().refusal.empty()) continue;
    rows.back().error = ranks.greatest(trial->error(path));
    paths.push_back(path);
  }
  std::vector<Timing> times = Stopwatch(ranks, *trial, paths).run(repetitions, c.seed);
  const double alone = trial->has_whole() ? times.back().seconds : 0;
  auto next = times.begin();
  for (Timed& row : rows) {
    if (!row.refusal.empty()) continue;
    row.time = std::move(*next++);
    row.efficiency = alone / row.time.seconds / ranks.all.size();
    row.gigabytes = sent / row.time.seconds * 1e-9;
  }
  const double vendor = vendor_time(rows);
  for (Timed& row : rows) row.of_vendor = row.refusal.empty() ? vendor / row.time.seconds : 0;
  return rows;
}

std::string shown(double ratio) { return ratio == 0 ? "" : fmt::format("{:.2f}", ratio); }

/// The operation of this name, or with `paths` the one whose path the text may name; all of them where it is empty.
std::vector<const RanksOperation*> wanted(const std::string& text, bool paths = false) {
  std::vector<const RanksOperation*> found;
  std::vector<std::string> names;
  for (const RanksOperation& op : ranks_operations()) {
    names.push_back(op.name);
    if (text.empty() || text == op.name || (paths && text.starts_with(op.name + "/"))) found.push_back(&op);
  }
  if (found.empty()) throw InvalidArgument(unknown_name("call over ranks", text, names));
  return found;
}

Type parsed_type(const RanksOperation& op, const std::string& text) {
  const Type type = parse_type(text);
  if (std::find(op.types.begin(), op.types.end(), type) == op.types.end()) {
    std::vector<std::string_view> names;
    for (const Type t : op.types) names.push_back(name(t));
    throw InvalidArgument(fmt::format("--type is '{}'; {} over ranks is measured with {}", text, op.name,
                                      fmt::join(names, ", ")));
  }
  return type;
}

std::vector<std::int64_t> parsed_shape(const RanksOperation& op, const std::string& text) {
  std::vector<std::int64_t> shape = parse_shape(text, "--shape");
  if (shape.size() == 1) shape.resize(op.extents.size(), shape[0]);
  if (shape.size() != op.extents.size()) {
    throw InvalidArgument(fmt::format("--shape is '{}'; a shape of {} over ranks is {}", text, op.name,
                                      fmt::join(op.extents, " x ")));
  }
  return shape;
}

Json json_of(const RanksOperation& op, const RanksCase& c, const Timed& row) {
  return {{"operation", op.name},
          {"path", row.path->name},
          {"type", name(c.type)},
          {"shape", c.shape},
          {"shares", name(c.shares)},
          {"time_ns", row.time.seconds * 1e9},
          {"least_ns", row.time.least * 1e9},
          {"spread", row.time.spread},
          {"bytes_sent", row.sent},
          {"gigabytes_per_second", row.gigabytes},
          {"of_vendor", row.of_vendor ? Json(row.of_vendor) : Json(nullptr)},
          {"efficiency", row.efficiency ? Json(row.efficiency) : Json(nullptr)},
          {"refusal", row.refusal},
          {"error", row.error},
          {"wrong", !(row.error <= 1)}};
}

/// What rank 0 prints or writes of all rows.
void report(Ranks& ranks, const RanksOptions& options, const Json& rows) {
  if (!ranks.prints()) return;
  if (options.csv) print_csv(rows);
  if (options.json.empty()) return;
  Json all{{"machine", machine(ranks.contexts, "hot", options.repetitions, nullptr)},
           {"ranks", ranks.all.size()},
           {"place", name(ranks.all.context().place())},
           {"threads", most_workers()},
           {"seed", options.seed},
           {"rows", rows}};
  if (options.json == "-")
    fmt::print("{}\n", all.dump(2));
  else
    write_file(options.json, all.dump(1) + "\n");
}

std::string mean(const Ratios& ratios) { return shown(ratios.count ? ratios.mean() : 0); }
std::string worst(const Ratios& ratios) { return shown(ratios.count ? ratios.worst : 0); }

/// A shape up to op.largest, parts of any kind, and a type.
RanksCase drawn(const RanksOperation& op, std::uint64_t number) {
  Draws draws(number);
  RanksCase c{op.types[static_cast<std::size_t>(draws.below(static_cast<std::int64_t>(op.types.size())))],
              {},
              kShares[draws.below(std::size(kShares))],
              number};
  std::int64_t left = op.largest;
  for (std::size_t e = 0; e < op.extents.size(); ++e) {
    c.shape.push_back(draws.size(1, left));
    left = std::max<std::int64_t>(1, left / c.shape.back());
  }
  return c;
}

}  // namespace

void refuse_over_ranks(std::initializer_list<std::pair<bool, std::string>> options) {
  for (const auto& [given, name] : options) {
    if (given)
      throw InvalidArgument(fmt::format("{} is not known of calls over ranks; see docs/ranks.md", name));
  }
}

bool check_over_ranks(const RanksOptions& options) {
  const auto found = wanted(options.operation, true);
  Ranks ranks(options.place);
  Table table({"call", "cases", "refused", "wrong", "worst error", "first wrong case"});
  Json rows = Json::array();
  std::int64_t cases = 0, wrong = 0;
  Progress progress;
  for (const RanksOperation* op : found) {
    std::vector<RanksPath> paths = op->paths;
    std::erase_if(paths, [&](const RanksPath& path) {
      return options.operation.find('/') != std::string::npos &&
             path.name.find(options.operation) == std::string::npos;
    });
    if (paths.empty())
      throw InvalidArgument(unknown_name("path", options.operation, [&] {
        std::vector<std::string> names;
        for (const RanksPath& path : op->paths) names.push_back(path.name);
        return names;
      }()));
    for (const RanksPath& path : paths) {
      int count = 0, bad = 0, refused = 0;
      double worst = 0;
      std::string first;
      for (const Type type : op->types) {
        for (const auto& shape : op->checked) {
          for (const Shares shares : kShares) {
            const RanksCase c{type, shape, shares, options.seed};
            if (ranks.prints()) progress.show(fmt::format("{} {}: {}", op->name, path.name, c.str()));
            const auto trial = op->make(ranks.all, c);
            if (!refusal(*trial, path).empty()) {
              ++refused;
              continue;
            }
            trial->call(path);  // in memory that the first one kept
            const double error = ranks.greatest(trial->error(path));
            ++count;
            worst = std::max(worst, error);
            if (error <= 1) continue;
            if (bad++ == 0) first = c.str();
          }
        }
      }
      cases += count, wrong += bad;
      const std::string name =
          path.name.find('/') == std::string::npos ? op->name + ", " + path.name : path.name;
      table.add({name, std::to_string(count), std::to_string(refused), std::to_string(bad),
                 fmt::format("{:.3g}", worst), first},
                bad ? Colour::bad : Colour::none);
      rows.push_back({{"call", name},
                      {"cases", count},
                      {"refused", refused},
                      {"wrong", bad},
                      {"worst_error", worst},
                      {"first_wrong", first}});
    }
  }
  progress.clear();
  report(ranks, options, rows);
  if (ranks.prints() && !options.csv && options.json.empty()) {
    table.print();
    print_note(fmt::format("{} cases executed, {} wrong, by {}", cases, wrong, ranks.str()));
  }
  return wrong == 0;
}

bool compare_over_ranks(const RanksOptions& options) {
  const auto found = wanted(options.operation);
  Ranks ranks(options.place);
  std::vector<std::pair<const RanksOperation*, RanksCase>> plan;
  for (const RanksOperation* op : found) {
    std::vector<Type> types{op->types[0]};
    if (!options.types.empty()) types.clear();
    for (const std::string& type : options.types) types.push_back(parsed_type(*op, type));
    std::vector<std::vector<std::int64_t>> shapes = ranks.timed(*op);
    if (!options.shapes.empty()) shapes.clear();
    for (const std::string& shape : options.shapes) shapes.push_back(parsed_shape(*op, shape));
    for (const Type type : types) {
      for (const auto& shape : shapes) plan.push_back({op, {type, shape, Shares::even, options.seed}});
    }
  }
  Json all = Json::array();
  bool right = true;
  Progress progress;
  for (std::size_t p = 0; p < plan.size(); ++p) {
    const auto& [op, c] = plan[p];
    if (ranks.prints()) progress.show(fmt::format("{} of {}: {} {}", p + 1, plan.size(), op->name, c.str()));
    const std::vector<Timed> rows = timed(ranks, *op, c, options.repetitions);
    progress.clear();
    Table table({"call", "time", "spread", "sent", "GB/s", "x vendor", "efficiency", "error"});
    std::vector<std::string> refusals;
    for (const Timed& row : rows) {
      const bool wrong = !(row.error <= 1);
      right &= !wrong;
      all.push_back(json_of(*op, c, row));
      if (!row.refusal.empty()) {
        refusals.push_back(row.refusal);
        continue;
      }
      table.add({row.path->name, wrong ? "WRONG" : show_time(row.time.seconds),
                 fmt::format("{:.1f} %", row.time.spread * 100), show_bytes(row.sent),
                 row.gigabytes < 0.01 ? "" : fmt::format("{:.3g}", row.gigabytes), shown(row.of_vendor),
                 shown(row.efficiency), fmt::format("{:.2g}", row.error)},
                wrong ? Colour::bad : Colour::none);
    }
    if (!ranks.prints() || options.csv) continue;
    print_heading(fmt::format("{} over {} ranks, {}", op->name, ranks.all.size(), c.str()));
    table.print();
    for (const std::string& text : refusals) print_note(text, Colour::dim);
    std::fflush(stdout);
  }
  report(ranks, options, all);
  if (ranks.prints() && !options.csv) {
    print_note(
        fmt::format("{}; time: of the slowest rank, median of {} repetitions; sent: what a rank has to send; "
                    "efficiency: time of one rank alone ÷ ranks ÷ time",
                    ranks.str(), options.repetitions));
  }
  return right;
}

bool audit_over_ranks(const RanksOptions& options) {
  const auto found = wanted(options.operation);
  Ranks ranks(options.place);
  // Every rank draws from rank 0's seed.
  const auto seed = static_cast<std::uint64_t>(ranks.sum(ranks.prints() ? options.seed : 0));
  Json all = Json::array();
  Table table({"call", "shapes", "wrong", "of best: mean", "worst", "x vendor: mean", "worst",
               "efficiency: mean", "worst"});
  int wrong = 0;
  Progress progress;
  for (const RanksOperation* op : found) {
    Ratios best, vendor, efficiency;
    int bad = 0;
    for (int s = 0; s < options.draws; ++s) {
      const RanksCase c = drawn(*op, random_bits(seed, static_cast<std::uint64_t>(s)) >> 32);
      if (ranks.prints())
        progress.show(fmt::format("{} of {}: {} {}", s + 1, options.draws, op->name, c.str()));
      const std::vector<Timed> rows = timed(ranks, *op, c, options.repetitions);
      double least = rows[0].time.seconds;
      for (const Timed& row : rows) {
        if (row.path->options.bits == Bits::own && row.refusal.empty())
          least = std::min(least, row.time.seconds);
        all.push_back(json_of(*op, c, row));
        if (row.error <= 1) continue;
        ++bad;
        progress.clear();
        if (ranks.prints())
          print_note(fmt::format("WRONG {} {}: {}", op->name, row.path->name, c.str()), Colour::bad);
      }
      if (rows.size() > 1) best.add(least / rows[0].time.seconds);
      vendor.add(rows[0].of_vendor);
      efficiency.add(rows[0].efficiency);
    }
    wrong += bad;
    table.add({op->name, std::to_string(options.draws), std::to_string(bad), mean(best), worst(best),
               mean(vendor), worst(vendor), mean(efficiency), worst(efficiency)},
              bad ? Colour::bad : Colour::none);
  }
  progress.clear();
  RanksOptions told = options;
  told.seed = seed;
  report(ranks, told, all);
  if (ranks.prints() && !options.csv) {
    table.print();
    print_note(fmt::format(
        "tandem audit --seed {} over {}; of best, x vendor: time of the fastest path, of the fastest "
        "vendor's ÷ time of the automatic choice",
        seed, ranks.str()));
  }
  return wrong == 0;
}

}  // namespace tandem::command
