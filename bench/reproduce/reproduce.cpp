// tandem reproduce: published tables, measured here, beside the published numbers.

#include "bench/reproduce/reproduce.h"
#include "common/options.h"

#include <fmt/format.h>

#include <algorithm>

#include "lib/core/names.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

struct Options {
  std::string table, json, like = "lab";
  int repetitions = 11;
  std::uint64_t seed = 1;
};

std::vector<PublishedTable>& tables() {
  static std::vector<PublishedTable> all;
  return all;
}

const PublishedTable& table(const std::string& name) {
  std::vector<std::string> known;
  for (const PublishedTable& t : tables()) {
    if (t.name == name) return t;
    known.emplace_back(t.name);
  }
  throw InvalidArgument(unknown_name("table", name, known));
}

void list() {
  Table all({"table", "what it measures"});
  for (const PublishedTable& t : tables()) all.add({t.name, t.what});
  all.print();
}

// --- output for people ---

std::string show(const std::optional<double>& number) {
  if (!number) return "–";
  return *number < 1000 ? fmt::format("{:.4g}", *number) : fmt::format("{:.0f}", *number);
}

void print(const Section& section) {
  const auto any = [&](auto has) { return std::any_of(section.lines.begin(), section.lines.end(), has); };
  const bool words = any([](const Line& line) { return !line.published.empty(); });
  std::vector<std::string> header{section.title};
  std::vector<bool> published;
  for (std::size_t c = 0; c < section.columns.size(); ++c) {
    header.push_back(section.columns[c].name + ", " + section.columns[c].unit);
    published.push_back(any([&](const Line& line) { return line.cells[c].published.has_value(); }));
    if (published.back()) header.push_back("published");
  }
  if (words) header.push_back("published");
  header.push_back("note");
  Table out(header);
  for (const Line& line : section.lines) {
    std::vector<std::string> row{line.name};
    bool measured = false;
    for (std::size_t c = 0; c < line.cells.size(); ++c) {
      row.push_back(show(line.cells[c].here));
      if (published[c]) row.push_back(show(line.cells[c].published));
      measured |= line.cells[c].here.has_value();
    }
    if (words) row.push_back(line.published);
    row.push_back(line.reason);
    out.add(row, measured ? Colour::none : Colour::dim);
  }
  fmt::print("\n");
  out.print();
}

bool known(const Claim& claim) { return !claim.here.empty(); }
bool holds(const Claim& claim) {
  return std::all_of(claim.here.begin(), claim.here.end(),
                     [&](double ratio) { return ratio >= claim.least && ratio <= claim.most; });
}

/// Whether the source's conclusion holds here, in one sentence.
std::string conclusion(const std::vector<Claim>& claims) {
  const auto ratios = [](const std::vector<double>& all, const char* where) {
    std::string text;
    for (const double ratio : all) text += fmt::format("{}{:.3g}×", text.empty() ? "" : ", ", ratio);
    return text + " " + where;
  };
  std::string right, wrong, open;
  for (const Claim& claim : claims) {
    std::string& list = !known(claim) ? open : holds(claim) ? right : wrong;
    list += (list.empty() ? "" : "; ") + claim.text;
    if (!known(claim)) continue;
    list += " (" + ratios(claim.here, "here") +
            (claim.published.empty() ? ")" : "; " + ratios(claim.published, "in the source") + ")");
  }
  if (right.empty() && wrong.empty())
    return "Whether the source's conclusion holds cannot be seen here: " + open + ".";
  std::string text = wrong.empty()   ? "The source's conclusion holds here"
                     : right.empty() ? "The source's conclusion does not hold here"
                                     : "The source's conclusion holds here in part";
  if (wrong.empty() && !open.empty()) text += " as far as it can be seen";
  if (!right.empty()) text += ": " + right;
  if (!wrong.empty()) text += (right.empty() ? ": " : "; not so: ") + wrong;
  if (!open.empty()) text += "; cannot be seen here: " + open;
  return text + ".";
}

// --- output for programs ---

Json to_json(const Section& section) {
  const auto maybe = [](const std::optional<double>& number) {
    return number ? Json(*number) : Json(nullptr);
  };
  Json columns = Json::array(), rows = Json::array();
  for (const Column& column : section.columns)
    columns.push_back({{"name", column.name}, {"unit", column.unit}});
  for (const Line& line : section.lines) {
    Json cells = Json::array();
    for (const Cell& cell : line.cells) {
      cells.push_back({{"implementation", cell.implementation},
                       {"here", maybe(cell.here)},
                       {"spread", cell.spread},
                       {"published", maybe(cell.published)}});
    }
    rows.push_back(
        {{"name", line.name}, {"cells", cells}, {"published", line.published}, {"reason", line.reason}});
  }
  return {{"title", section.title}, {"columns", columns}, {"rows", rows}};
}

bool reproduce(const Options& options) {
  const PublishedTable& asked = table(options.table);
  if (!options.json.empty()) require_writable(options.json);
  Experiment experiment{options.repetitions, options.seed, options.like == "small", {}, {}};
  const Reproduction result = asked.measure(experiment);
  const std::string method = fmt::format("{}; median of {}", result.method, options.repetitions);
  const std::string sentence = conclusion(result.claims);
  fmt::print("{}: {}\npublished: {}\nhere: {}; {}\nmethod: {}\n", asked.name, asked.what, asked.source,
             experiment.contexts.host.description(),
             experiment.contexts.device ? experiment.contexts.device->description() : why_no_device(),
             method);
  for (const auto& [name, figures] : result.data.items()) {
    std::string text;
    for (const auto& [what, value] : figures.items())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what,
                          value.is_string() ? value.get<std::string>() : value.dump());
    fmt::print("{}: {}\n", name, text);
  }

  Json sections = Json::array();
  double spread = 0;
  for (const Section& section : result.sections) {
    print(section);
    sections.push_back(to_json(section));
    for (const Line& line : section.lines) {
      for (const Cell& cell : line.cells) spread = std::max(spread, cell.spread);
    }
  }
  if (spread > 0) fmt::print("\nspread of a cell at most {:.0f} %\n", spread * 100);
  if (experiment.small) fmt::print("\nlittle data, not the source's: compare ratios at most\n");
  fmt::print("{}\n", sentence);
  for (const std::string& row : result.wrong) fmt::print("{}\n", paint("WRONG: " + row, Colour::bad));
  if (!options.json.empty()) {
    const Json content{{"table", asked.name},
                       {"what", asked.what},
                       {"source", asked.source},
                       {"machine", machine(experiment.contexts, result.method, options.repetitions, nullptr)},
                       {"data", result.data},
                       {"sections", sections},
                       {"conclusion", sentence},
                       {"wrong", result.wrong}};
    write_file(options.json, content.dump(1) + "\n");
  }
  return result.wrong.empty();
}

}  // namespace

bool add_table(PublishedTable table) {
  const auto before = [](const PublishedTable& a, const PublishedTable& b) {
    return std::string_view(a.name) < b.name;
  };
  std::vector<PublishedTable>& all = tables();
  all.insert(std::upper_bound(all.begin(), all.end(), table, before), table);
  return true;
}

void add_reproduce(CLI::App& app) {
  auto* sub =
      app.add_subcommand("reproduce", "Published tables, measured here, beside the published numbers");
  static Options options;
  sub->add_option("table", options.table, "Which one; all are listed when left out");
  sub->add_option("--like", options.like,
                  "How much data: lab, as much as the source's; small, for a quick run")
      ->check(CLI::IsMember({"lab", "small"}))
      ->capture_default_str();
  add_number(sub, "--repetitions", options.repetitions, "Of each cell, shuffled", 1, 1000);
  add_number(sub, "--seed", options.seed, "Of the data");
  sub->add_option("--json", options.json, "Write the table to this file")->type_name(kFile);
  sub->footer(
      "Exit status 1 says that rows differ in their results.\nExample: tandem reproduce intersection --json "
      "intersection.json");
  sub->callback([] {
    if (options.table.empty()) return list();
    exit_code = reproduce(options) ? kSuccess : kWrongResult;
  });
}

}  // namespace tandem::command
