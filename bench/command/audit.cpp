// tandem audit: the automatic choice beside every path, on shapes that nobody tuned for.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <span>

#include "bench/command/command.h"
#include "bench/measure/comparison.h"
#include "bench/measure/device.h"
#include "bench/measure/paths.h"
#include "bench/measure/ratios.h"
#include "bench/ranks/ranks.h"
#include "bench/terminal.h"
#include "common/program.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

struct Options {
  std::string operation, place, method = "hot", largest, json;
  std::uint64_t seed = 0;
  int shapes = 100, milliseconds = 300, percent = 95, percent_of_vendor = 97;
  bool quick = false, csv = false;
};

constexpr int kRepetitions = 9, kMoreRepetitions = 25;
constexpr double kBusy = 0.1;  // a spread that half of the shapes may reach before the machine is called busy

/// One shape, and how the automatic choice did on it.
struct Audited {
  const Operation* operation;
  CaseId id;
  Trial trial;
  std::string again;  // a command line that compares its paths
  Choice choice;
  Timing automatic;
  double choosing = 0;  // seconds of it that the choice takes
  std::vector<Paths::Path> paths;
  const Implementation *best = nullptr, *vendor = nullptr;
  double of_best = 1, of_vendor = 0;  // time of the fastest, of the fastest vendor ÷ automatic; 0: none

  std::string shape() const {
    return fmt::format("{} {}{}{}{}", id.str(), extents(trial), trial.variant.empty() ? "" : " ",
                       trial.variant,
                       trial.inputs.offset ? fmt::format(" offset {}", trial.inputs.offset) : "");
  }
};

Json json_of(const Ratios& ratios) {
  if (ratios.count == 0) return nullptr;
  return {{"shapes", ratios.count}, {"geometric_mean", ratios.mean()}, {"worst", ratios.worst}};
}

class Audit {
 public:
  explicit Audit(const Options& options)
      : options_(options),
        place_(options.place == "host" || (options.place.empty() && !contexts_.device) ? Place::host
                                                                                       : Place::device),
        method_(parse_method(options.method)),
        ctx_(contexts_.of(place_)),
        clocks_(ctx_ ? pci_address(*ctx_) : std::string()),
        largest_(!options.largest.empty() ? parse_size(options.largest, "--largest")
                 : options.quick          ? 1 << 18
                 : place_ == Place::host  ? 1 << 26
                                          : 1 << 27) {
    if (!ctx_) throw Unavailable("--place device " + why_no_device());
    if (const std::string reason = why_not(method_, place_); !reason.empty())
      throw Unavailable(fmt::format("--method {} --place {}: {}", options.method, name(place_), reason));
    require_automatic_choice();
    if (!options.operation.empty()) only_ = &operation(options.operation);
  }

  /// What was found in an operation is printed as soon as it is measured.
  void run() {
    if (!options_.csv)
      print_command(fmt::format("tandem audit --seed {} --largest {} --place {} on {} ({})", options_.seed,
                                show_size(largest_), name(place_), ctx_->description(), options_.method));
    int done = 0;
    const int all = options_.shapes * (only_ ? 1 : static_cast<int>(operations().size()));
    for (const auto& op : operations()) {
      if (only_ && op.get() != only_) continue;
      const std::size_t first = all_.size();
      for (int s = 0; s < options_.shapes && !interruptible_.asked(); ++s) {
        // 32 bits, to be typed.
        const std::uint64_t number = random_bits(options_.seed, static_cast<std::uint64_t>(s)) >> 32;
        const auto [case_index, trial] = op->draw(number, largest_);
        progress_.show(fmt::format("shape {} of {}: {} {}", ++done, all, op->name, trial.str()));
        audit(*op, case_index, trial, number);
      }
      progress_.clear();
      if (first == all_.size() && interruptible_.asked()) break;
      if (!options_.csv) print_found(*op, std::span(all_).subspan(first));
    }
  }

  int exit_status() const {
    return wrong_ > 0 ? kWrongResult : interruptible_.asked() ? kInterrupted : kSuccess;
  }
  void print() const;
  Json json() const;

 private:
  void audit(const Operation& op, int case_index, const Trial& trial, std::uint64_t number);
  double seconds_to_choose(const Operation& op, int case_index, const Trial& trial) const;
  bool lost(const Audited& a) const {
    return (a.best && a.of_best * 100 < options_.percent) ||
           (a.vendor && a.of_vendor * 100 < options_.percent_of_vendor);
  }
  void print_found(const Operation& op, std::span<const Audited> shapes) const;

  const Options& options_;
  Contexts contexts_;
  Place place_;
  Method method_;
  Context* ctx_;
  Clocks clocks_;
  std::int64_t largest_;
  const Operation* only_ = nullptr;
  std::vector<Audited> all_;
  int wrong_ = 0, too_large_ = 0;
  Progress progress_;
  Interruptible interruptible_{"tandem: shows what it has measured; once more to end now\n"};
};

void Audit::audit(const Operation& op, int case_index, const Trial& trial, std::uint64_t number) {
  Audited a{&op, op.cases[static_cast<std::size_t>(case_index)], trial, "", {}, {}, 0, {}};
  a.again = fmt::format("tandem compare {} --draw {} --largest {} --place {}", op.name, number,
                        show_size(largest_), name(place_));
  if (options_.method != "hot") a.again += " --method " + options_.method;
  try {
    Paths paths(*ctx_, op, case_index, trial, method_, options_.milliseconds * (options_.quick ? 1e-4 : 1e-3),
                Paths::Purpose::audit);
    const auto compare = [&](int repetitions) {
      paths.measure(repetitions);
      clocks_.read();
      a.automatic = paths.automatic();
      const Paths::Path *best = paths.fastest(Paths::Among::choices),
                        *vendor = paths.fastest(Paths::Among::libraries);
      a.best = best ? best->implementation : nullptr;
      a.vendor = vendor ? vendor->implementation : nullptr;
      // Where the choice is the fastest path, what its two times differ by is noise.
      const bool chose_best = a.best == paths.choice().implementation;
      a.of_best = !best ? 0 : chose_best ? 1 : std::min(1.0, best->time.seconds / a.automatic.seconds);
      a.of_vendor = vendor ? vendor->time.seconds / a.automatic.seconds : 0;
    };
    compare(kRepetitions);
    // Of several paths that are as fast, one is the fastest by chance.
    if (lost(a)) compare(kMoreRepetitions);
    a.choice = paths.choice();
    a.choosing = seconds_to_choose(op, case_index, trial);
    a.paths = paths.paths();
    wrong_ += paths.wrong();
    all_.push_back(std::move(a));
  } catch (const OutOfMemory&) {
    ++too_large_;
  }
}

/// Of one choice among many of the same call, as in a loop of a program.
double Audit::seconds_to_choose(const Operation& op, int case_index, const Trial& trial) const {
  using Clock = std::chrono::steady_clock;
  constexpr int kRounds = 5, kCalls = 200;
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kRounds; ++round) {
    const auto start = Clock::now();
    for (int call = 0; call < kCalls; ++call) op.choose(*ctx_, case_index, trial);
    least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count() / kCalls);
  }
  return least;
}

void Audit::print_found(const Operation& op, std::span<const Audited> shapes) const {
  std::vector<const Audited*> losers;
  for (const Audited& a : shapes) {
    if (lost(a)) losers.push_back(&a);
    for (const Paths::Path& path : a.paths) {
      if (path.wrong)
        fmt::print("{}\n", paint(fmt::format("WRONG {} {}: {}\n      {}", path.implementation->name,
                                             a.shape(), path.reason, a.again),
                                 Colour::bad));
    }
  }
  print_heading(
      fmt::format("{}: {} of {} shapes below {} % of the fastest path or {} % of the fastest vendor's",
                  op.name, losers.size(), shapes.size(), options_.percent, options_.percent_of_vendor));
  const auto least = [](const Audited* a) {
    return !a->best ? a->of_vendor : !a->vendor ? a->of_best : std::min(a->of_best, a->of_vendor);
  };
  std::stable_sort(losers.begin(), losers.end(), [&](auto* a, auto* b) { return least(a) < least(b); });
  for (const Audited* a : losers) {
    const auto timed = [&](const Implementation* i, const Timing& time) {
      return fmt::format("{} {} (± {:.0f} %)", i->name, show_time(time.seconds), time.spread * 50);
    };
    std::string line = fmt::format("{:.3f} {} {}: {}", least(a), op.name, a->shape(),
                                   timed(a->choice.implementation, a->automatic));
    for (const Paths::Path& path : a->paths) {
      if (path.implementation == a->choice.implementation) continue;
      if (path.implementation == a->best || path.implementation == a->vendor)
        line += ", " + timed(path.implementation, path.time);
    }
    print_command(fmt::format("{}\n      {}", line, a->again));
  }
  std::fflush(stdout);
}

void Audit::print() const {
  Table table({"operation", "shapes", "of best: mean", "worst", "of vendor: mean", "worst", "losers"});
  for (const auto& op : operations()) {
    Ratios best, vendor;
    int losers = 0;
    for (const Audited& a : all_) {
      if (a.operation != op.get()) continue;
      best.add(a.of_best), vendor.add(a.of_vendor), losers += lost(a);
    }
    if (best.count == 0) continue;
    const auto show = [](const Ratios& r, double ratio) {
      return r.count ? fmt::format("{:.3f}", ratio) : "-";
    };
    table.add({op->name, std::to_string(best.count), show(best, best.mean()), show(best, best.worst),
               show(vendor, vendor.mean()), show(vendor, vendor.worst), std::to_string(losers)});
  }
  fmt::print("\n");
  table.print();
  if (const std::string clocks = clocks_.text(); !clocks.empty()) print_note(clocks);
  print_note(
      "of best, of vendor: time of the fastest path, of the fastest vendor's ÷ time of the automatic choice, "
      "geometric mean and worst");
  if (!all_.empty()) {
    double sum = 0;
    for (const Audited& a : all_) sum += a.choosing;
    const Audited& slowest = *std::ranges::max_element(all_, {}, &Audited::choosing);
    print_note(fmt::format(
        "a choice by itself takes {:.0f} ns, mean of all shapes, and {:.0f} ns at the most ({} {})",
        sum / static_cast<double>(all_.size()) * 1e9, slowest.choosing * 1e9, slowest.operation->name,
        slowest.shape()));
  }
  std::vector<double> spreads;
  for (const Audited& a : all_) spreads.push_back(a.automatic.spread);
  if (!spreads.empty()) {
    std::nth_element(spreads.begin(), spreads.begin() + spreads.size() / 2, spreads.end());
    if (const double spread = spreads[spreads.size() / 2]; spread > kBusy) {
      print_note(fmt::format(
          "busy machine: samples of one call spread by {:.0f} %, so ratios near 1 say little", spread * 100));
    }
  }
  if (too_large_)
    print_note(
        fmt::format("{} shapes left out: not enough memory; a smaller --largest takes less", too_large_));
}

Json Audit::json() const {
  const auto timing = [](const Timing& t) -> Json {
    if (t.seconds == 0) return {{"time_ns", nullptr}};
    return {{"time_ns", t.seconds * 1e9}, {"least_ns", t.least * 1e9}, {"spread", t.spread}};
  };
  Json summary = Json::array(), shapes = Json::array();
  for (const auto& op : operations()) {
    Ratios best, vendor;
    for (const Audited& a : all_) {
      if (a.operation == op.get()) best.add(a.of_best), vendor.add(a.of_vendor);
    }
    if (best.count)
      summary.push_back(
          {{"operation", op->name}, {"of_best", json_of(best)}, {"of_vendor", json_of(vendor)}});
  }
  for (const Audited& a : all_) {
    Json paths = Json::array();
    for (const Paths::Path& path : a.paths) {
      Json row{{"implementation", path.implementation->name},
               {"ever_chosen", path.implementation->ever_chosen()},
               {"wrong", path.wrong},
               {"reason", path.reason}};
      row.update(timing(path.time));
      paths.push_back(row);
    }
    Json automatic{{"implementation", a.choice.implementation->name},
                   {"why", a.choice.why},
                   {"choosing_ns", a.choosing * 1e9}};
    automatic.update(timing(a.automatic));
    shapes.push_back(
        {{"operation", a.operation->name},
         {"type", name(a.id.type)},
         {"op", name(a.id.op)},
         {"n", a.trial.n},
         {"shape", a.trial.extents},
         {"variant", a.trial.variant},
         {"offset", a.trial.inputs.offset},
         {"choice",
          {{"variant", a.operation->variant(a.trial)}, {"features", a.operation->features(a.trial)}}},
         {"automatic", automatic},
         {"paths", paths},
         {"of_best", a.best ? Json(a.of_best) : Json(nullptr)},
         {"of_vendor", a.of_vendor ? Json(a.of_vendor) : Json(nullptr)},
         {"again", a.again}});
  }
  Json of = machine(contexts_, options_.method, kRepetitions, clocks_.json());
  return {{"machine", of},         {"place", name(place_)},     {"seed", options_.seed},
          {"largest", largest_},   {"below", options_.percent}, {"below_vendor", options_.percent_of_vendor},
          {"operations", summary}, {"shapes", shapes}};
}

}  // namespace

void add_audit(Command app) {
  const auto sub = app.subcommand("audit", "The automatic choice beside every path, on random shapes");
  static Options options;
  sub.option("operation", options.operation, known_operations() + "; all when left out")
      .type_name(kOperation);
  sub.number("--shapes", options.shapes, "Of each operation", 1, 100000);
  const auto seed = sub.number("--seed", options.seed, "Of the shapes; unless given, another one in each run")
                        .default_str("");
  sub.option("--place", options.place, "The GPU if there is one, unless given").one_of({"host", "device"});
  sub.option("--method", options.method, fmt::format("As in compare. {}", kCallMethodsMeaning))
      .type_name(fmt::format("TEXT:{{{}}}", fmt::join(method_names(), ",")))
      .show_default();
  sub.option("--largest", options.largest,
             "Bytes of the largest array of a shape: 64M on the host and 128M on a device unless given");
  sub.number("--milliseconds", options.milliseconds,
             "For the timing of a shape; longer calls are repeated at least three times", 1, 3600000);
  sub.number("--below", options.percent, "Losers are shapes below so many percent of the fastest path", 1,
             100);
  sub.number("--below-vendor", options.percent_of_vendor,
             "Or below so many percent of the fastest library's, also of one that the choice never takes", 1,
             100);
  sub.flag("--quick", options.quick, "Small shapes, timed briefly: to see that it works");
  sub.option("--json", options.json, "Write all shapes with all times to this file").type_name(kFile);
  add_table_options(sub, options.csv);
  sub.footer(
      "Every result is checked, too; exit status 1 says that one is wrong. SIGINT and SIGTERM end it early, "
      "with what was measured until then. docs/choice.md says how shapes are drawn and timed.\nExample: "
      "tandem audit scan --shapes 300 --json scan.json");
  sub.callback([seed] {
    if (seed.count() == 0) options.seed = std::random_device()();
    if (!options.json.empty()) require_writable(options.json);
    if (launched_ranks() > 1) {
      refuse_over_ranks({{options.place == "simt", "--place simt"},
                         {options.method != "hot", "--method"},
                         {!options.largest.empty(), "--largest"},
                         {options.quick, "--quick"}});
      exit_code = audit_over_ranks({.operation = options.operation,
                                    .place = options.place,
                                    .seed = options.seed,
                                    .repetitions = kRepetitions,
                                    .draws = options.shapes,
                                    .json = options.json,
                                    .csv = options.csv})
                      ? kSuccess
                      : kWrongResult;
      return;
    }
    Audit audit(options);
    audit.run();
    if (options.csv)
      print_csv(audit.json()["shapes"]);
    else
      audit.print();
    if (!options.json.empty()) write_file(options.json, audit.json().dump(1) + "\n");
    exit_code = audit.exit_status();
  });
}

}  // namespace tandem::command
