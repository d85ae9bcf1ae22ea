// tandem reproduce: published tables, measured here, beside the published numbers.

#include "bench/reproduce/reproduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/reproduce/recorded.h"
#include "lib/core/names.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

constexpr int kRepetitions = 11, kQuickRepetitions = 3;

struct Options {
  std::vector<std::string> tables;
  std::string json;
  bool all = false, list = false, quick = false, csv = false;
  int repetitions = 0;  // 0: as many as is usual
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

std::vector<const PublishedTable*> asked(const Options& options) {
  std::vector<const PublishedTable*> asked;
  for (const std::string& name : options.tables) asked.push_back(&table(name));
  if (options.all) {
    for (const PublishedTable& t : tables()) asked.push_back(&t);
  }
  return asked;
}

void list(bool csv) {
  Table all({"table", "what it measures"});
  Json rows = Json::array();
  for (const PublishedTable& t : tables()) {
    all.add({t.name, t.what});
    rows.push_back({{"table", t.name}, {"what", t.what}});
  }
  csv ? print_csv(rows) : all.print();
}

// --- output for people ---

std::string show(const std::optional<double>& number) {
  if (!number) return "–";
  return *number < 1000 ? fmt::format("{:.4g}", *number) : fmt::format("{:.0f}", *number);
}

/// `run`: a recorded one, whose numbers stand beside those of here; or null.
void print(const Section& section, const Json* run) {
  const auto any = [&](auto has) { return std::any_of(section.lines.begin(), section.lines.end(), has); };
  const auto recorded = [&](const Line& line, std::size_t c) {
    return run ? recorded_number(*run, section, line, section.columns[c]) : std::nullopt;
  };
  constexpr int kRepeated = 3;  // rows with one note: it stands once, below the table
  std::vector<std::string> header{section.title};
  std::vector<bool> here, published, there;
  for (std::size_t c = 0; c < section.columns.size(); ++c) {
    const Column& column = section.columns[c];
    const std::string heading = column.unit.empty() ? column.name : column.name + ", " + column.unit;
    there.push_back(any([&](const Line& line) { return recorded(line, c).has_value(); }));
    here.push_back(!there.back() || any([&](const Line& line) { return line.cells[c].here.has_value(); }));
    if (here.back()) header.push_back(heading);
    if (there.back()) header.push_back(here.back() ? "H200" : heading + " H200");
    published.push_back(any([&](const Line& line) { return line.cells[c].published.has_value(); }));
    if (published.back()) header.push_back("published");
  }
  header.push_back("note");
  Table out(header);
  bool derived = false;
  std::map<std::string, int> notes, below;  // how many lines have each; how many have theirs below
  for (const Line& line : section.lines) ++notes[line.note];
  for (const Line& line : section.lines) {
    std::vector<std::string> row{line.name};
    bool measured = false, something = !line.published.empty();
    for (std::size_t c = 0; c < line.cells.size(); ++c) {
      something |= line.cells[c].here || line.cells[c].published || recorded(line, c);
      if (here[c]) row.push_back(show(line.cells[c].here));
      if (there[c]) row.push_back(show(recorded(line, c)));
      if (published[c]) {
        const std::string text = show(line.cells[c].published);
        row.push_back(line.cells[c].derived ? "(" + text + ")" : text);
        derived |= line.cells[c].derived;
      }
      measured |= line.cells[c].here.has_value();
    }
    if (!something || notes[line.note] >= kRepeated) ++below[line.note];
    if (!something) continue;
    std::string note = line.published.empty() ? "" : "published: " + line.published;
    if (notes[line.note] < kRepeated) note += (note.empty() || line.note.empty() ? "" : "; ") + line.note;
    row.push_back(note);
    out.add(row, measured ? Colour::none : Colour::dim);
  }
  below.erase("");
  fmt::print("\n");
  out.print();
  if (derived) print_note("( ): made of the source's figures, which do not show it");
  for (const auto& [why, count] : below)
    print_note(fmt::format("{}: {} {}: {}", section.title, count, count == 1 ? "row" : "rows", why));
}

bool known(const Claim& claim) { return !claim.here.empty(); }
bool holds(const Claim& claim) {
  return std::all_of(claim.here.begin(), claim.here.end(),
                     [&](double ratio) { return ratio >= claim.least && ratio <= claim.most; });
}

/// Whether the source's conclusion holds, in one sentence. `here`: "here".
std::string conclusion(const std::vector<Claim>& claims, const std::string& here) {
  const auto ratios = [](const std::vector<double>& all, const std::string& where) {
    std::string text;
    for (const double ratio : all) text += fmt::format("{}{:.3g}×", text.empty() ? "" : ", ", ratio);
    return text + " " + where;
  };
  std::string right, wrong, open;
  for (const Claim& claim : claims) {
    std::string& list = !known(claim) ? open : holds(claim) ? right : wrong;
    list += (list.empty() ? "" : "; ") + claim.text;
    if (!known(claim)) continue;
    list += " (" + ratios(claim.here, here) +
            (claim.published.empty() ? ")" : "; " + ratios(claim.published, "by the source's figures") + ")");
  }
  if (right.empty() && wrong.empty())
    return fmt::format("Whether the source's conclusion holds cannot be seen {}: {}.", here, open);
  std::string text = wrong.empty()   ? "The source's conclusion holds " + here
                     : right.empty() ? "The source's conclusion does not hold " + here
                                     : "The source's conclusion holds " + here + " in part";
  if (wrong.empty() && !open.empty()) text += " as far as it can be seen";
  if (!right.empty()) text += ": " + right;
  if (!wrong.empty()) text += (right.empty() ? ": " : "; not so: ") + wrong;
  if (!open.empty()) text += fmt::format("; cannot be seen {}: {}", here, open);
  return text + ".";
}

// --- output for programs ---

Json maybe(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

Json to_json(const Section& section) {
  Json columns = Json::array(), rows = Json::array();
  for (const Column& column : section.columns)
    columns.push_back({{"name", column.name}, {"unit", column.unit}});
  for (const Line& line : section.lines) {
    Json cells = Json::array();
    for (const Cell& cell : line.cells) {
      cells.push_back({{"implementation", cell.implementation},
                       {"here", maybe(cell.here)},
                       {"spread", cell.spread},
                       {"published", maybe(cell.published)},
                       {"derived", cell.derived}});
    }
    rows.push_back(
        {{"name", line.name}, {"cells", cells}, {"published", line.published}, {"note", line.note}});
  }
  return {{"title", section.title}, {"columns", columns}, {"rows", rows}};
}

/// The cells that hold a number, a row each, with those of a recorded run, or null.
Json cells_of(const PublishedTable& table, const Reproduction& result, const Json* run) {
  Json rows = Json::array();
  for (const Section& section : result.sections) {
    for (const Line& line : section.lines) {
      for (std::size_t c = 0; c < line.cells.size(); ++c) {
        const Cell& cell = line.cells[c];
        const Column& column = section.columns[c];
        const auto recorded = run ? recorded_number(*run, section, line, column) : std::nullopt;
        if (!cell.here && !cell.published && !recorded) continue;
        rows.push_back({{"table", table.name},
                        {"section", section.title},
                        {"row", line.name},
                        {"column", column.name},
                        {"unit", column.unit},
                        {"implementation", cell.implementation},
                        {"here", maybe(cell.here)},
                        {"spread", cell.spread},
                        {"recorded_h200", maybe(recorded)},
                        {"published", maybe(cell.published)},
                        {"derived", cell.derived},
                        {"note", line.note}});
      }
    }
  }
  return rows;
}

/// The recorded run, and what it says of the source's conclusion; for a machine without a GPU.
void print_recorded(const Json* run) {
  if (!run) return fmt::print("H200: no recorded run yet\n");
  const Json& machine = run->at("machine");
  const std::string where = fmt::format("on {} and {}", machine.at("device").get<std::string>(),
                                        machine.at("host").get<std::string>());
  print_note(fmt::format("H200: recorded {} {}", machine.at("date").get<std::string>(), where));
  const std::vector<Claim> claims = recorded_claims(*run);
  if (!claims.empty()) print_note(conclusion(claims, "there"));
}

/// For people.
void print(const PublishedTable& asked, const Experiment& experiment, const Reproduction& result,
           const std::string& method, const std::string& sentence, const Json* run) {
  for (const std::string& text :
       {fmt::format("{}: {}", asked.name, asked.what), fmt::format("published: {}", asked.source),
        fmt::format("here: {}; {}", experiment.contexts.host.description(),
                    experiment.contexts.device ? experiment.contexts.device->description() : why_no_device()),
        fmt::format("method: {}", method)})
    print_note(text);
  for (const auto& [name, figures] : result.data.items()) {
    std::string text;
    for (const auto& [what, value] : figures.items())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what,
                          value.is_string() ? value.get<std::string>() : value.dump());
    print_note(fmt::format("{}: {}", name, text));
  }
  double spread = 0;
  for (const Section& section : result.sections) {
    print(section, run);
    for (const Line& line : section.lines) {
      for (const Cell& cell : line.cells) spread = std::max(spread, cell.spread);
    }
  }
  if (spread > 0) fmt::print("\nspread of a cell at most {:.0f} %\n", spread * 100);
  if (experiment.quick && spread > 0) fmt::print("\nlittle data, not the source's: compare ratios at most\n");
  print_note(sentence);
  if (!experiment.contexts.device) print_recorded(run);
  for (const std::string& row : result.wrong) print_note("WRONG: " + row, Colour::bad);
}

/// first: of several tables.
Json reproduce(const PublishedTable& asked, const Options& options, bool first) {
  Experiment experiment{options.repetitions ? options.repetitions
                        : options.quick     ? kQuickRepetitions
                                            : kRepetitions,
                        options.seed,
                        options.quick,
                        {},
                        {}};
  const Reproduction result = asked.measure(experiment);
  experiment.progress.clear();
  const std::string sentence = conclusion(result.claims, "here");
  const Json* const run = experiment.contexts.device ? nullptr : recorded_run(asked.name);
  if (options.csv) {
    print_csv(cells_of(asked, result, run), first);
  } else {
    if (!first) fmt::print("\n\n");
    print(asked, experiment, result, fmt::format("{}; median of {}", result.method, experiment.repetitions),
          sentence, run);
  }
  Json sections = Json::array(), claims = Json::array();
  for (const Section& section : result.sections) sections.push_back(to_json(section));
  for (const Claim& claim : result.claims) claims.push_back(to_json(claim));
  return {{"table", asked.name},
          {"what", asked.what},
          {"source", asked.source},
          {"quick", experiment.quick},
          {"machine", machine(experiment.contexts, result.method, experiment.repetitions, nullptr)},
          {"data", result.data},
          {"sections", sections},
          {"claims", claims},
          {"conclusion", sentence},
          {"wrong", result.wrong}};
}

bool reproduce(const Options& options) {
  const std::vector<const PublishedTable*> chosen = asked(options);
  if (!options.json.empty()) require_writable(options.json);
  Json all = Json::array();
  for (const PublishedTable* t : chosen) {
    all.push_back(reproduce(*t, options, all.empty()));
    std::fflush(stdout);  // whoever reads a pipe sees a table when it is done
  }
  if (!options.json.empty()) write_file(options.json, (all.size() == 1 ? all[0] : all).dump(1) + "\n");
  return std::all_of(all.begin(), all.end(), [](const Json& t) { return t.at("wrong").empty(); });
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

const Implementation& implementation_named(const std::string& name) {
  for (const Implementation* i : matching(name)) {
    if (i->name == name) return *i;
  }
  throw InvalidArgument("no implementation " + name);
}

Cell quotient(const Cell& dividend, const Cell& divisor) {
  Cell ratio;
  if (dividend.here && divisor.here) ratio.here = *dividend.here / *divisor.here;
  if (dividend.published && divisor.published) {
    ratio.published = *dividend.published / *divisor.published;
    ratio.derived = true;
  }
  return ratio;
}

Claim claim(std::string text, const std::vector<Cell>& ratios) {
  Claim made{std::move(text)};
  for (const Cell& ratio : ratios) {
    if (ratio.here) made.here.push_back(*ratio.here);
    if (ratio.published) made.published.push_back(*ratio.published);
  }
  return made;
}

namespace {
const Row* row_of(const Group& group, const Implementation& implementation) {
  const auto found = std::find_if(group.rows.begin(), group.rows.end(), [&](const Row& row) {
    return row.implementation == &implementation && !row.alone;
  });
  return found == group.rows.end() ? nullptr : &*found;
}
}  // namespace

const Group& timed(Comparison& comparison, const Operation& op, const Trial& trial,
                   const std::vector<const Implementation*>& implementations, Reproduction& result) {
  const Group& group = comparison.run(op, 0, trial, Method::hot, implementations, implementations.size());
  for (const Row& row : group.rows) {
    if (row.wrong()) result.wrong.push_back(row.name() + ": " + row.verdict.text);
  }
  return group;
}

Cell milliseconds(const Group& group, const Implementation& implementation) {
  const Row* const row = row_of(group, implementation);
  if (!row || !row->timed) return {{}, {}, 0, implementation.name};
  return {row->time.seconds * 1e3, {}, row->time.spread, implementation.name};
}

std::string why_not(const Group& group, const Implementation& implementation) {
  const Row* const row = row_of(group, implementation);
  return row ? row->reason : "";
}

void add_reproduce(Command app) {
  const auto sub =
      app.subcommand("reproduce", "Published tables, measured here, beside the published numbers");
  static Options options;
  const auto tables = sub.option("table", options.tables, "Which ones; all are listed when left out");
  sub.flag("--all", options.all, "All of them").excludes(tables);
  sub.flag("--list", options.list, "Their names and what each measures").excludes(tables);
  sub.flag("--quick", options.quick,
           "Little data and few repetitions: all tables in two minutes on a laptop");
  sub.number("--repetitions", options.repetitions, "Of each cell, shuffled", 1, 1000)
      .default_str(fmt::format("{}, or {} with --quick", kRepetitions, kQuickRepetitions));
  sub.number("--seed", options.seed, "Of the data");
  sub.option("--json", options.json, "Write the table to this file; of several an array").type_name(kFile);
  add_table_options(sub, options.csv, "As CSV: a row for each cell that holds a number");
  sub.footer(
      "Without a GPU its rows show the run that was recorded on an H200.\n"
      "Exit status 1 says that rows differ in their results.\n"
      "Example: tandem reproduce --all --quick\n"
      "Example: tandem reproduce intersection --json intersection.json");
  sub.callback([] {
    if (options.list || (options.tables.empty() && !options.all)) return list(options.csv);
    exit_code = reproduce(options) ? kSuccess : kWrongResult;
  });
}

}  // namespace tandem::command
