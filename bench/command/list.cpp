// tandem list: every implementation, what it does and whether it can run here.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/command/command.h"
#include "bench/terminal.h"
#include "lib/core/rank_registry.h"
#include "lib/harness/tuning.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string pattern;
  bool json = false, csv = false, tunings = false;
};

Json to_json(const std::vector<const Implementation*>& found) {
  Json rows = Json::array();
  for (const Implementation* i : found) {
    rows.push_back({{"implementation", i->name},
                    {"operation", i->operation},
                    {"path", i->path},
                    {"place", name(i->place)},
                    {"available", i->unavailable().empty()},
                    {"reason", i->unavailable()},
                    {"loses_digits_on", i->loses_digits_on},
                    {"repeats", i->repeats},
                    {"by_name_only", i->by_name_only},
                    {"deviates", i->deviates},
                    {"note", i->note}});
  }
  return rows;
}

void list(const Options& options) {
  const auto over_ranks = rank_matching(options.pattern);
  const bool only_ranks = !over_ranks.empty() && matching(options.pattern).empty();
  const auto found = only_ranks ? over_ranks : require_matching(options.pattern);
  if (options.csv) return print_csv(to_json(found));
  if (options.json) {
    fmt::print("{}\n", to_json(found).dump(2));
    return;
  }
  Table table({"implementation", "place", "here", "what it does"});
  std::vector<std::pair<std::string, int>> reasons;  // why not here, and of how many
  for (const Implementation* i : found) {
    const std::string reason = i->unavailable();
    std::string note = i->note, here = "yes";
    if (!i->loses_digits_on.empty()) note += "; loses digits on: " + i->loses_digits_on;
    if (!i->by_name_only.empty()) note += "; by name only: " + i->by_name_only;
    if (!i->deviates.empty()) note += "; " + i->deviates;
    if (!i->repeats) note += "; last bits differ from run to run";
    if (!reason.empty()) {
      auto at = std::ranges::find(reasons, reason, &std::pair<std::string, int>::first);
      if (at == reasons.end()) at = reasons.insert(at, {reason, 0});
      ++at->second;
      here = fmt::format("no ({})", at - reasons.begin() + 1);
    }
    table.add({i->name, name(i->place), here, note}, reason.empty() ? Colour::none : Colour::dim);
  }
  table.print();
  for (std::size_t r = 0; r < reasons.size(); ++r)
    print_note(fmt::format("({}) {} of {}: {}", r + 1, reasons[r].second, found.size(), reasons[r].first));
  if (options.pattern.empty() && !over_ranks.empty())
    print_note(
        fmt::format("{} more run over ranks: tandem list {}", over_ranks.size(), over_ranks[0]->operation));
}

void list_tunings() {
  for (const auto& [operation, name] : tunings()) fmt::print("{}/{}\n", operation, name);
}

}  // namespace

void add_list(Command app) {
  const auto sub = app.subcommand("list", "Every implementation: name, place, available here or why not");
  static Options options;
  sub.option("pattern", options.pattern, "Part of a name, e.g. scan, custom/, @simt")
      .type_name(kImplementation);
  const auto json = sub.flag("--json", options.json, "As JSON");
  add_table_options(sub, options.csv);
  json.excludes("--csv").excludes("--md");
  sub.flag("--tunings", options.tunings, "Instead: the tunings of compare --tuning, as OPERATION/NAME");
  sub.footer("Example: tandem list scan/custom");
  sub.callback([] { options.tunings ? list_tunings() : list(options); });
}

}  // namespace tandem::command
