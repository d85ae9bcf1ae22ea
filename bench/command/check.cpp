// tandem check: every matching implementation against the reference.

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "bench/command/command.h"
#include "bench/ranks/ranks.h"
#include "bench/terminal.h"
#include "tandem/error.h"

#ifdef TANDEM_HAS_SIMT
#include "bench/command/check_ranks.h"
#include "lib/core/rank_registry.h"
#include "lib/harness/race_check.h"
#endif

namespace tandem::command {
namespace {

#ifdef TANDEM_HAS_SIMT
Judge judge(Coverage coverage) {
  return coverage == Coverage::brief ? check_watched<kWatchedBriefly> : check_watched<kWatched>;
}
#else
Judge judge(Coverage) { return check; }
#endif

struct Options {
  std::string pattern, place, coverage = "quick", schedule = "forward";
  std::uint64_t seed = 1;
  std::int64_t number = 0;  // of the one trial to check, from 1 on; 0: all
  int every = 1;
  bool first = false, json = false, csv = false;

  /// A command line that checks one trial again.
  std::string again(const std::string& name, std::int64_t trial_number) const {
    std::string line = fmt::format("tandem check {} --trial {}", name, trial_number);
    if (seed != 1) line += fmt::format(" --seed {}", seed);
    if (coverage != "quick") line += " --coverage " + coverage;
    if (schedule != "forward") line += " --schedule " + schedule;
    return line;
  }
};

struct Tally {
  PairCoverage pairs;
  std::int64_t cases = 0, wrong = 0, refused = 0, outside = 0;
  double worst = 0;          // of the cases within the promise
  double worst_outside = 0;  // on inputs on which the implementation says that it loses digits
  double seconds = 0;
  std::string first = {};   // the first wrong case
  std::int64_t number = 0;  // its number
};
using Tallies = std::map<const Implementation*, Tally>;

void count(const Outcome& outcome, std::int64_t number, Tally& tally) {
  const Verdict& verdict = outcome.verdict;
  if (!outcome.refusal.empty()) {
    ++tally.refused;
    tally.pairs.refused(outcome.trial.point);
    return;
  }
  ++tally.cases;
  tally.pairs.executed(outcome.trial.point);
  tally.seconds += outcome.seconds;
  if (outcome.outside_promise) {
    ++tally.outside;
    tally.worst_outside = std::max(tally.worst_outside, verdict.worst);
    return;
  }
  tally.worst = std::max(tally.worst, verdict.worst);
  if (!verdict.correct && !tally.wrong++) {
    tally.first = fmt::format("{} {}: {}", outcome.id.str(), outcome.trial.str(), verdict.text);
    tally.number = number;
  }
}

// Calls f(case index, trials, their numbers) for each case of which trials are to be checked, until it returns
// false; returns whether it never did. Trials are numbered from 1 on through all element types and operators.
template <class F>
bool for_each_case(const Operation& op, const Options& options, Coverage coverage, F&& f) {
  const std::size_t every = std::min(static_cast<std::size_t>(options.every), op.cases.size());
  std::int64_t number = 0;
  for (std::size_t c = 0; c < op.cases.size(); ++c) {
    std::vector<Trial> trials;
    std::vector<std::int64_t> numbers;
    std::size_t place = c;  // with the next type or operator it is the turn of the next ones
    for (Trial& trial : op.tests(op.cases[c], coverage, options.seed)) {
      ++number;
      const bool its_turn = place++ % every == 0;
      if (options.number > 0 ? number != options.number : !its_turn) continue;
      trials.push_back(std::move(trial));
      numbers.push_back(number);
    }
    if (!trials.empty() && !f(static_cast<int>(c), trials, numbers)) return false;
  }
  return true;
}

// The progress line: trials checked, each once for every implementation, of all that are to be.
struct CheckProgress {
  CheckProgress(const Options& options, Coverage coverage, const Tallies& tallies) {
    for (const auto& op : operations()) {
      const auto rows = static_cast<std::size_t>(
          std::ranges::count(tallies, op->name, [](const auto& entry) { return entry.first->operation; }));
      if (rows == 0) continue;
      for_each_case(*op, options, coverage, [&](int, const std::vector<Trial>& trials, auto&) {
        total += trials.size() * rows;
        return true;
      });
    }
  }
  void next(const Operation& op, CaseId id) {
    progress.show(fmt::format("checked {} of {}: {} {}", ++done, total, op.name, id.str()));
  }
  std::size_t done = 0, total = 0;
  Progress progress;
};

// One trial after the other, so that a progress line can tell which. False when no more is to be checked.
bool check_operation(const Operation& op, const Options& options, Coverage coverage, Contexts& contexts,
                     Tallies& tallies, CheckProgress& checked) {
  const auto check_case = [&](int c, const std::vector<Trial>& trials,
                              const std::vector<std::int64_t>& numbers) {
    for (const bool on_device : {false, true}) {
      const Place place = on_device ? Place::device : Place::host;
      Context* ctx = contexts.of(place);
      std::vector<const Implementation*> rows;
      for (const auto& [i, tally] : tallies) {
        if (ctx && i->operation == op.name && (i->place == Place::device) == on_device) rows.push_back(i);
      }
      if (rows.empty()) continue;
      bool stop = false;
      const auto visit = [&](const Outcome& outcome) {
        Tally& tally = tallies.at(&outcome.implementation);
        count(outcome, numbers[static_cast<std::size_t>(&outcome.trial - trials.data())], tally);
        checked.next(op, outcome.id);
        stop = options.first && tally.wrong > 0;
        return !stop;
      };
      if (coverage != Coverage::huge) {
        for_each_trial(op, c, trials, rows, *ctx, judge(coverage), visit);
        if (stop) return false;
        continue;
      }
      // A context keeps its scratch; here each path needs nearly all memory, so each gets a context of its own.
      for (const Implementation* const& row : rows) {
        Contexts own;
        for_each_trial(op, c, trials, {&row, 1}, *own.of(place), judge(coverage), visit);
        if (stop) return false;
      }
    }
    return true;
  };
  return for_each_case(op, options, coverage, check_case);
}

// "laplacian, up to 52 x the bound" where results were outside an implementation's promise, else "".
std::string outside(const Implementation& i, const Tally& t) {
  if (t.outside == 0) return "";
  return fmt::format("{} of {} on {}, up to {:.3g} x the bound", t.outside, t.cases, i.loses_digits_on,
                     t.worst_outside);
}

/// "forward", "reverse", "random:7", for the SIMT executor.
void set_schedule([[maybe_unused]] const std::string& text) {
#ifdef TANDEM_HAS_SIMT
  simt::set_schedule(simt::parse_schedule(text));
#endif
}

void check_all(const Options& options) {
  set_schedule(options.schedule);
#ifdef TANDEM_HAS_SIMT
  if (matching(options.pattern).empty() && !rank_matching(options.pattern).empty()) {
    refuse_over_ranks({{!options.place.empty() && options.place != "simt", "--place " + options.place},
                       {options.coverage == "huge", "--coverage huge"},
                       {options.number != 0, "--trial"},
                       {options.every != 1, "--every"}});
    const bool right = check_rank_kernels({.pattern = options.pattern,
                                           .coverage = parse_coverage(options.coverage),
                                           .seed = options.seed,
                                           .first = options.first,
                                           .json = options.json,
                                           .csv = options.csv});
    exit_code = right ? kSuccess : kWrongResult;
    return;
  }
#endif
  const Coverage coverage = parse_coverage(options.coverage);
  Contexts contexts;
  Tallies tallies;
  std::vector<const Implementation*> found = require_matching(options.pattern);
  std::erase_if(found, [&](auto* i) { return !options.place.empty() && options.place != name(i->place); });
  if (found.empty()) {
    throw InvalidArgument(fmt::format("no implementation of --place {} matches '{}'; see: tandem list",
                                      options.place, options.pattern));
  }
  for (const Implementation* i : found) {
    if (i->unavailable().empty()) tallies.insert({i, {PairCoverage(operation(i->operation).axes(coverage))}});
  }
  if (tallies.empty()) throw Unavailable(found[0]->name + ": " + found[0]->unavailable());
  CheckProgress checked(options, coverage, tallies);
  for (const auto& op : operations()) {
    if (!check_operation(*op, options, coverage, contexts, tallies, checked)) break;
  }
  checked.progress.clear();

  std::int64_t cases = 0, wrong = 0, beyond = 0, met = 0, possible = 0;
  std::vector<std::string> open, idle, beyond_all;
  Table table({"implementation", "cases", "wrong", "worst error", "time", "first wrong case"});
  Table promises({"outside its promise (tandem list says on what)", "cases and measured error"});
  nlohmann::ordered_json rows = nlohmann::json::array();
  for (const Implementation* i : found) {
    const auto entry = tallies.find(i);
    if (entry == tallies.end()) continue;
    const Tally& t = entry->second;
    cases += t.cases;
    wrong += t.wrong;
    beyond += t.outside;
    met += t.pairs.met();
    possible += t.pairs.possible();
    for (const std::string& pair : t.pairs.open()) open.push_back(i->name + ": " + pair);
    // What goes past 2^31 may be beyond an implementation, which then says why.
    if (t.cases == 0) (t.refused > 0 && coverage == Coverage::huge ? beyond_all : idle).push_back(i->name);
    table.add({i->name, fmt::format("{}", t.cases), fmt::format("{}", t.wrong),
               fmt::format("{:.3g}", t.worst), show_time(t.seconds), t.first},
              t.wrong ? Colour::bad : Colour::none);
    if (t.outside > 0) promises.add({i->name, outside(*i, t)});
    if (!options.json && !options.csv) continue;  // the library's objects need memory even to end
    rows.push_back({{"implementation", i->name},
                    {"cases", t.cases},
                    {"refused", t.refused},
                    {"wrong", t.wrong},
                    {"worst_error", t.worst},
                    {"outside_promise", t.outside},
                    {"worst_outside_promise", t.worst_outside},
                    {"pairs", t.pairs.met()},
                    {"possible_pairs", t.pairs.possible()},
                    {"first_wrong", t.first},
                    {"again", t.wrong ? options.again(i->name, t.number) : ""}});
  }
  if (options.json) {
    fmt::print("{}\n", rows.dump(2));
  } else if (options.csv) {
    print_csv(rows);
  } else {
    table.print();
    for (const auto& [i, t] : tallies) {
      if (t.wrong)
        print_command(
            fmt::format("the first wrong trial of {} again: {}", i->name, options.again(i->name, t.number)));
    }
    if (beyond > 0) promises.print();
    print_note(fmt::format(
        "{} cases executed, {} wrong; {} of {} implementations cannot run here (tandem list says why)", cases,
        wrong, found.size() - tallies.size(), found.size()));
    if (!beyond_all.empty()) print_note(fmt::format("refuse all of it: {}", fmt::join(beyond_all, ", ")));
    if (options.number == 0) print_note(fmt::format("pairs of axis values: {} of {}", met, possible));
  }
  // Skipped is not passed: but --first stops early, and only quick and full promise to meet all pairs.
  const bool early = options.first && wrong > 0;
  if (early || options.number) idle.clear();
  const bool promised = coverage == Coverage::quick || coverage == Coverage::full;
  if (early || options.number || options.every > 1 || !promised) open.clear();
  for (const std::string& name : idle) fmt::print(stderr, "no case was executed: {}\n", name);
  for (const std::string& pair : open) fmt::print(stderr, "never met: {}\n", pair);
  if (cases == 0 && options.number)
    fmt::print(stderr, "no trial of this number, or none that an implementation takes\n");
  else if (cases == 0)
    fmt::print(stderr, "no case was executed\n");
  exit_code = wrong || cases == 0 || !open.empty() || !idle.empty() ? kWrongResult : kSuccess;
}

}  // namespace

void add_check(Command app) {
  const auto sub =
      app.subcommand("check", "Every matching implementation against the reference; exit 1 if one is wrong");
  static Options options;
  sub.option("pattern", options.pattern, "Part of a name, e.g. reduce, scan/custom/blelloch, @simt")
      .type_name(kImplementation);
  sub.number("--seed", options.seed, "Of the test data");
  sub.option(
         "--coverage", options.coverage,
         "brief: for slow tools; quick: all cases, sizes around tile edges; full: the product of all axes; "
         "huge: past 2^31 and 2^32 elements and bytes")
      .one_of({"brief", "quick", "full", "huge"})
      .show_default();
  sub.option("--place", options.place, "Only these rows").one_of({"host", "device", "simt"});
  sub.option("--schedule", options.schedule, "Of the SIMT executor: forward, reverse, random:SEED")
      .show_default();
  sub.number("--trial,--case", options.number,
             "Only the trial of this number, of each operation; it is printed where one is wrong", 1,
             std::int64_t{1} << 40)
      .default_str("");
  sub.number("--every", options.every,
             "Of each type and operator only every K-th trial, of the next one the trials after these", 1,
             100)
      .type_name("K")
      .show_default();
  sub.flag("--first", options.first, "Stop at the first wrong case");
  const auto json = sub.flag("--json", options.json, "As JSON");
  add_table_options(sub, options.csv);
  json.excludes("--csv").excludes("--md");
  sub.footer("Example: tandem check scan/custom --schedule random:7");
  sub.callback([] {
    if (launched_ranks() == 1) return check_all(options);
    refuse_over_ranks({{options.place == "simt", "--place simt"},
                       {options.coverage != "quick", "--coverage"},
                       {options.schedule != "forward", "--schedule"},
                       {options.number != 0, "--trial"},
                       {options.every != 1, "--every"},
                       {options.first, "--first"}});
    const bool right = check_over_ranks({.operation = options.pattern,
                                         .place = options.place,
                                         .seed = options.seed,
                                         .json = options.json ? "-" : "",
                                         .csv = options.csv});
    exit_code = right ? kSuccess : kWrongResult;
  });
}

}  // namespace tandem::command
