// tandem check: every matching implementation against the reference.

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include "bench/command/command.h"
#include "examples/common/terminal.h"
#include "tandem/error.h"

#ifdef TANDEM_HAS_SIMT
#include "lib/simt/trace.h"
#endif

namespace tandem::command {
namespace {

struct Options {
  std::string pattern, place, extent = "quick", schedule = "forward";
  std::uint64_t seed = 1;
  bool json = false;
};

struct Tally {
  std::int64_t cases = 0, wrong = 0, refused = 0;
  double worst = 0, seconds = 0;
  std::string first;  // the first wrong case
};

// Watched for races too where that is possible and worth it.
Verdict judge(const Implementation& i, int c, [[maybe_unused]] CaseId id, Problem& problem, Context& ctx,
              std::int64_t n) {
#ifdef TANDEM_HAS_SIMT
  if (i.place == Place::simt && simt::worth_watching(id, n))
    return simt::check_with_races(i, c, problem, ctx, n);
#endif
  return check(i, c, problem, ctx, n);
}

void check_trial(const Operation& op, std::size_t c, const Trial& trial, Contexts& contexts,
                 std::map<const Implementation*, Tally>& tallies) {
  const auto index = static_cast<int>(c);
  for (const bool on_device : {false, true}) {
    Context* ctx = contexts.of(on_device ? Place::device : Place::host);
    std::unique_ptr<Problem> problem;  // shared by all implementations of one place
    for (auto& [i, tally] : tallies) {
      if (!ctx || i->operation != op.name || (i->place == Place::device) != on_device) continue;
      if (!i->refusal(op.shape(trial), op.cases[c]).empty()) {
        ++tally.refused;
        continue;
      }
      if (!problem) problem = op.make(*ctx, index, trial);
      const auto start = std::chrono::steady_clock::now();
      const Verdict verdict = judge(*i, index, op.cases[c], *problem, *ctx, trial.n);
      tally.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      ++tally.cases;
      tally.worst = std::max(tally.worst, verdict.worst);
      if (!verdict.correct && !tally.wrong++) {
        tally.first = fmt::format("{} {}: {}", op.cases[c].str(), trial.str(), verdict.text);
      }
    }
  }
}

void check_all(const Options& options) {
  set_schedule(options.schedule);
  const std::map<std::string, Extent> extents = {
      {"brief", Extent::brief}, {"quick", Extent::quick}, {"full", Extent::full}, {"huge", Extent::huge}};
  const Extent extent = extents.at(options.extent);
  Contexts contexts;
  std::map<const Implementation*, Tally> tallies;
  std::vector<const Implementation*> found = matching(options.pattern);
  std::erase_if(found, [&](auto* i) { return !options.place.empty() && options.place != name(i->place); });
  if (found.empty()) {
    throw InvalidArgument(fmt::format("no implementation matches '{}'; see: tandem list", options.pattern));
  }
  for (const Implementation* i : found) {
    if (i->unavailable().empty()) tallies[i] = {};
  }
  if (tallies.empty()) throw Unavailable(found[0]->name + ": " + found[0]->unavailable());
  Progress progress;
  for (const auto& op : operations()) {
    for (std::size_t c = 0; c < op->cases.size(); ++c) {
      const CaseId id = op->cases[c];
      if (extent == Extent::huge &&
          (id.type != Type::i32 || (id.op != OperatorId::plus && id.op != OperatorId::none)))
        continue;
      const auto trials = op->tests(op->cases[c], extent, options.seed);
      for (std::size_t t = 0; t < trials.size(); ++t) {
        progress.show(fmt::format("check {} {} {}/{}", op->name, op->cases[c].str(), t + 1, trials.size()));
        check_trial(*op, c, trials[t], contexts, tallies);
      }
    }
  }

  std::int64_t cases = 0, wrong = 0;
  Table table({"implementation", "cases", "wrong", "worst error", "time", "first wrong case"});
  nlohmann::ordered_json rows = nlohmann::json::array();
  for (const Implementation* i : found) {
    const auto entry = tallies.find(i);
    if (entry == tallies.end()) continue;
    const Tally& t = entry->second;
    cases += t.cases;
    wrong += t.wrong;
    table.add({i->name, fmt::format("{}", t.cases), fmt::format("{}", t.wrong),
               fmt::format("{:.3g}", t.worst), show_time(t.seconds), t.first},
              t.wrong ? Colour::bad : Colour::none);
    rows.push_back({{"implementation", i->name},
                    {"cases", t.cases},
                    {"refused", t.refused},
                    {"wrong", t.wrong},
                    {"worst_error", t.worst},
                    {"first_wrong", t.first}});
  }
  if (options.json) {
    fmt::print("{}\n", rows.dump(2));
  } else {
    table.print();
    fmt::print(
        "{} cases executed, {} wrong; {} of {} implementations cannot run here (tandem list says why)\n",
        cases, wrong, found.size() - tallies.size(), found.size());
  }
  exit_code = wrong ? kWrongResult : kSuccess;
}

}  // namespace

void add_check(CLI::App& app) {
  auto* sub = app.add_subcommand(
      "check", "Every matching implementation against the reference; exit 1 if one is wrong");
  static Options options;
  sub->add_option("pattern", options.pattern, "Part of a name, e.g. reduce, scan/custom/blelloch, @simt");
  sub->add_option("--seed", options.seed, "Of the test data")->capture_default_str();
  sub->add_option(
         "--extent", options.extent,
         "brief: for slow tools; quick: all cases, sizes around tile edges; full: the product of all axes; "
         "huge: 2^31 + 3 elements")
      ->check(CLI::IsMember({"brief", "quick", "full", "huge"}))
      ->capture_default_str();
  sub->add_option("--place", options.place, "Only these rows")
      ->check(CLI::IsMember({"host", "device", "simt"}));
  sub->add_option("--schedule", options.schedule, "Of the SIMT executor: forward, reverse, random:SEED")
      ->capture_default_str();
  sub->add_flag("--json", options.json, "As JSON");
  sub->footer("Example: tandem check scan/custom --schedule random:7");
  sub->callback([] { check_all(options); });
}

}  // namespace tandem::command
