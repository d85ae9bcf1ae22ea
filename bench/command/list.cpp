// tandem list: every implementation, what it does and whether it can run here.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/command/command.h"
#include "bench/terminal.h"
#include "common/options.h"
#include "lib/harness/tuning.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

void list(const std::string& pattern, bool json) {
  const auto found = matching(pattern);
  if (found.empty())
    throw InvalidArgument(fmt::format("no implementation matches '{}'; see: tandem list", pattern));
  if (json) {
    nlohmann::ordered_json rows = nlohmann::json::array();
    for (const Implementation* i : found) {
      rows.push_back({{"implementation", i->name},
                      {"operation", i->operation},
                      {"path", i->path},
                      {"place", name(i->place)},
                      {"available", i->unavailable().empty()},
                      {"reason", i->unavailable()},
                      {"loses_digits_on", i->loses_digits_on},
                      {"repeats", i->repeats},
                      {"deviates", i->deviates},
                      {"note", i->note}});
    }
    fmt::print("{}\n", rows.dump(2));
    return;
  }
  Table table({"implementation", "place", "here", "what it does"});
  for (const Implementation* i : found) {
    const std::string reason = i->unavailable();
    std::string note = i->note;
    if (!i->loses_digits_on.empty()) note += "; loses digits on: " + i->loses_digits_on;
    if (!i->deviates.empty()) note += "; " + i->deviates;
    if (!i->repeats) note += "; last bits differ from run to run";
    table.add({i->name, name(i->place), reason.empty() ? "yes" : reason, note},
              reason.empty() ? Colour::none : Colour::dim);
  }
  table.print();
}

void list_tunings() {
  for (const auto& [operation, name] : tunings()) fmt::print("{}/{}\n", operation, name);
}

}  // namespace

void add_list(CLI::App& app) {
  auto* sub = app.add_subcommand("list", "Every implementation: name, place, available here or why not");
  static std::string pattern;
  static bool json = false, tuning = false;
  sub->add_option("pattern", pattern, "Part of a name, e.g. scan, custom/, @simt");
  sub->add_flag("--json", json, "As JSON");
  sub->add_flag("--tunings", tuning, "Instead: the tunings of compare --tuning, as OPERATION/NAME");
  sub->footer("Example: tandem list scan/custom");
  sub->callback([] { tuning ? list_tunings() : list(pattern, json); });
}

}  // namespace tandem::command
