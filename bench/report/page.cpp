// The page of a report.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "bench/report/figures.h"
#include "bench/report/html.h"
#include "bench/report/page_style.h"
#include "bench/report/shared_styles.h"
#include "bench/report/warps.h"
#include "bench/terminal.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

using Json = nlohmann::ordered_json;

std::string details(const DataTable& data) {
  if (data.rows.empty()) return {};
  return fmt::format("<details><summary>{}</summary>{}{}</details>\n", escaped(data.title), table(data),
                     data.note.empty() ? "" : "<p class='dim'>" + escaped(data.note) + "</p>");
}

/// What was measured, for programs: of each series a figure by implementation and size. A machine's implementations have
/// their names once, and series name them by place. Either the series that stand for their operations, or the others.
Json data_of(const Results& results, bool main) {
  const auto digits = [](double value, int count) {
    return Json::parse(fmt::format("{:.{}g}", value, count));
  };
  const auto nanoseconds = [&](double seconds) {
    return seconds < 1e-6 ? digits(seconds * 1e9, 4) : Json(std::llround(seconds * 1e9));
  };
  const auto maybe = [&](const std::optional<double>& value, int count) {
    return value ? digits(*value, count) : Json();
  };
  Json machines = Json::array();
  for (const Machine& machine : results.machines) {
    Json all = Json::array();
    std::vector<std::string> names;
    const std::vector<const Series*> stand_for_all = machine.main_series();
    for (const Series& series : machine.series) {
      if ((std::ranges::find(stand_for_all, &series) != stand_for_all.end()) != main) continue;
      Json implementations = Json::array();
      for (const std::string& name : series.implementations()) {
        const auto at = std::ranges::find(names, name);
        implementations.push_back(at - names.begin());
        if (at == names.end()) names.push_back(name);
      }
      const auto figures = [&](const std::function<Json(const Result&)>& of) {
        Json rows = Json::array();
        for (const std::string& name : series.implementations()) {
          Json& row = rows.emplace_back(Json::array());
          for (const Series::Size& size : series.sizes()) {
            const Result* r = series.at(name, size);
            row.push_back(r ? of(*r) : Json());
          }
        }
        return rows;
      };
      Json sizes = Json::array(), work = Json::array(), bound = Json::array();
      std::string unit;
      for (const Series::Size& size : series.sizes()) {
        sizes.push_back(size.shape.empty() ? Json(size.n) : Json(size.shape));
        const Result *known = nullptr, *bounded = nullptr;  // every row moves as much, and has the same bound
        for (const std::string& name : series.implementations()) {
          const Result* r = series.at(name, size);
          if (r) known = r;
          if (r && r->competes() && r->fraction) bounded = r;
        }
        unit = known->unit;
        work.push_back(known->rate > 0 ? digits(known->rate * known->seconds, 4) : Json());
        bound.push_back(bounded ? digits(bounded->rate / *bounded->fraction, 4) : Json());
      }
      Json& one = all.emplace_back(Json{{"operation", series.operation},
                                        {"type", series.type},
                                        {"op", series.op},
                                        {"variant", series.variant},
                                        {"method", series.method},
                                        {"sizes", sizes},
                                        {"unit", unit},
                                        {"work", work},    // of a call, in billions
                                        {"bound", bound},  // in `unit`
                                        {"implementations", implementations}});
      one["time_ns"] = figures([&](const Result& r) { return nanoseconds(r.seconds); });
      one["spread_permille"] =
          figures([&](const Result& r) { return Json(std::llround(1000 * std::min(r.spread, 1e6))); });
      const Json errors = figures([&](const Result& r) { return maybe(r.error, 2); });
      const bool exact = std::ranges::all_of(errors, [](const Json& row) {
        return std::ranges::all_of(row, [](const Json& error) { return error.is_null() || error == 0; });
      });
      one["error_of_allowed"] = exact ? Json(0) : errors;
    }
    Json runs = Json::array();
    for (const Json& run : machine.runs) {
      Json kept = Json::object();
      for (const char* key : {"date", "version", "commit", "compiler", "method", "repetitions"}) {
        if (run.contains(key) && !run[key].is_structured()) kept[key] = run[key];
      }
      if (std::ranges::find(runs, kept) == runs.end()) runs.push_back(kept);  // many files are of one run
    }
    machines.push_back(
        {{"machine", machine.name}, {"runs", runs}, {"implementations", names}, {"series", all}});
  }
  return {{"machines", machines}};
}

/// JSON as the content of a script element.
std::string embedded(const Json& data, const char* id) {
  std::string out;
  for (const char c : data.dump(-1, ' ', false, Json::error_handler_t::replace))
    out += c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : c == '&' ? "\\u0026" : std::string(1, c);
  return fmt::format("<script type='application/json' id='{}'>", id) + out + "</script>\n";
}

/// A part of the page. Those of the highest rank are left out first, of these the last; 0: what it cannot do without.
struct Part {
  std::string html;
  int rank = 0;
  std::string name = {};
  bool is_left_out = false;

  bool ends_section() const { return html.ends_with("</section>\n"); }
};
constexpr int kData = 1, kPicture = 2, kMap = 3, kMainTable = 4, kOtherPicture = 5, kTable = 6;

/// The first warps: of each ladder two neighbours side by side, the others behind a click.
void add_warps(std::vector<Part>& parts, const Report& report) {
  const auto strip = [&](const Picture* warp, bool told) {
    const Counts* counts = report.results.reasons.of(warp->title);
    return fmt::format("<div class='warp'>{}<p>{}{}</p></div>\n", warp->svg,
                       escaped(warp->title.substr(warp->title.rfind('/') + 1)),
                       told && counts ? "<small>" + escaped(counts->str()) + "</small>" : "");
  };
  const std::vector<WarpsOf> all = warps_by_operation(report);
  parts.push_back({"<figure><h3>The first warp: what makes a step faster</h3><div class='warps'>\n"});
  for (const WarpsOf& of : all) {
    if (of.pair)
      parts.push_back(
          {fmt::format("<div><h4>{}</h4><div class='two'>{}{}</div></div>\n", escaped(of.pair->title),
                       strip(of.pair->before, true), strip(of.pair->after, true)),
           kPicture, "the warps of " + of.operation});
  }
  parts.push_back({"</div>\n"});
  for (const WarpsOf& of : all) {
    std::string others;
    for (const Picture* warp : of.others) others += strip(warp, false);
    if (!others.empty())
      parts.push_back({fmt::format("<details><summary>{}</summary><div class='warps'>{}</div></details>\n",
                                   escaped(of.operation + (of.pair ? ": the other steps" : "")), others),
                       kOtherPicture, "the other warps of " + of.operation});
  }
  parts.push_back(
      {"<figcaption>Time runs downwards: each row is an instruction of the first warp, each column one of "
       "its "
       "32 threads, and dots stand for rows that repeat. Green moves as little as can be, yellow twice as "
       "much, "
       "orange four times, red eight times or more; blue is a shuffle or a vote, and a thread without colour "
       "waits. Of each ladder those two neighbours stand here of which the second is faster and wastes less; "
       "where both waste alike, what makes it faster is told beside its bar.</figcaption></figure>\n"});
}

std::vector<Part> parts_of(const Report& report) {
  const Results& results = report.results;
  std::vector<Part> parts;
  const auto main_machine = std::ranges::max_element(
      results.machines, {}, [](const Machine& machine) { return machine.series.size(); });
  for (std::size_t m = 0; m < results.machines.size(); ++m) {
    const Machine& machine = results.machines[m];
    const Figures shown =
        figures(machine, results.reasons, report.changes.empty() ? nullptr : &report.changes[m]);
    // Of the machine that most was measured on the page cannot do without these.
    const bool is_main = &machine == &*main_machine;
    parts.push_back(
        {fmt::format("<section id='m{}'><h2>{}</h2><p class='{}'>{}</p>\n", m, escaped(machine.name),
                     machine.wrong.empty() ? "dim" : "bad", escaped(caption(machine))) +
         shown.against_libraries});
    parts.push_back({shown.bounds, is_main ? 0 : kMainTable, "shares of the bound on " + machine.name});
    parts.push_back({shown.ladders, is_main ? 0 : kMainTable, "the ladders on " + machine.name});
    parts.push_back(
        {shown.others, is_main ? 0 : kMainTable, "the roofline and the errors on " + machine.name});
    const OtherCases others = other_cases(machine);
    parts.push_back({others.begin});
    for (const auto& [operation, rows] : others.operations)
      parts.push_back({rows, kMainTable, "the other cases of " + operation + " on " + machine.name});
    parts.push_back({others.end});
    parts.push_back({"<details><summary>Tables of " + escaped(machine.name) + "</summary>\n"});
    parts.push_back({details(summary_table(machine)), kMainTable, "the summary of " + machine.name});
    if (!report.changes.empty())
      parts.push_back({details(changes_table(machine, report.changes[m])), kTable,
                       "the table of changes on " + machine.name});
    const auto main = machine.main_series();
    for (const Series& series : machine.series) {
      const bool of_few = std::ranges::find(main, &series) != main.end();
      parts.push_back({details(times_table(series)), of_few ? kMainTable : kTable,
                       "the times of " + series.title() + " on " + machine.name});
    }
    parts.push_back({"</details></section>\n"});
  }
  parts.push_back({embedded(data_of(results, true), "data"), kData, "the results as JSON"});
  parts.push_back({embedded(data_of(results, false), "other-data"), kTable, "the other cases as JSON"});
  if (!report.tunings.empty()) {
    parts.push_back(
        {"<section id='tunings'><h2>Sweeps</h2>\n<figure><h3>Steps compiled with many constants</h3>\n"});
    for (const Picture& map : report.tunings)
      parts.push_back(
          {fmt::format("<h4>{}</h4><div class='scroll paper'>{}</div>\n", escaped(map.title), map.svg), kMap,
           "the map of " + map.title});
    parts.push_back(
        {"<figcaption>Each square is a combination of two constants: the darker, the faster (in the dark: "
         "the "
         "lighter); an empty square does not exist.</figcaption></figure>\n"});
    for (const Tuning& tuning : results.tunings)
      parts.push_back({details(tuning_table(tuning)), kTable,
                       fmt::format("the points of tuning {} {}", tuning.operation, tuning.name)});
    parts.push_back({"</section>\n"});
  }
  if (!results.reasons.all().empty()) {
    parts.push_back({"<section id='trace'><h2>What kernels ask of memory</h2>\n"});
    if (!report.warps.empty()) add_warps(parts, report);
    parts.push_back({details(reasons_table(results.reasons)), kTable, "the table of what was counted"});
    parts.push_back({"</section>\n"});
  }
  return parts;
}

std::string head(const Report& report) {
  const Results& results = report.results;
  std::string links;
  const auto link = [&](const std::string& id, const std::string& text) {
    links += fmt::format("<a href='#{}'>{}</a> ", id, escaped(text));
  };
  for (std::size_t m = 0; m < results.machines.size(); ++m)
    link(fmt::format("m{}", m), results.machines[m].name);
  if (!report.tunings.empty()) link("tunings", "sweeps");
  if (!results.reasons.all().empty()) link("trace", "what kernels ask of memory");
  return fmt::format(
      "<h1>Custom kernels against libraries</h1>\n<p class='dim'>Every operation twice, as a library call "
      "and as hand-written "
      "kernels, side by side. Written by tandem report {}{}.</p>\n<nav>{}</nav>\n",
      TANDEM_VERSION_STRING,
      results.machines.size() > 1 ? "; results of different machines stand apart and are not compared" : "",
      links);
}

/// What a section lacks.
constexpr std::size_t kLeftOutBytes = 600;
std::string said_of(std::vector<std::string> left_out) {
  if (left_out.empty()) return "";
  constexpr std::size_t kNamed = 3;
  const std::size_t more = left_out.size() - std::min(kNamed, left_out.size());
  left_out.resize(left_out.size() - more);
  return fmt::format("<p class='dim'>Left out, so that the page stays small: {}{}.</p>\n",
                     escaped(fmt::format("{}", fmt::join(left_out, "; "))),
                     more > 0 ? fmt::format("; and {} more", more) : "");
}

}  // namespace

std::string page(const Report& report, std::size_t most) {
  const std::string begin = head(report);
  std::vector<Part> parts = parts_of(report);
  SharedStyles styles;
  for (Part& part : parts) part.html = styles.shortened(part.html);
  const auto whole = [style = kReportStyle + styles.rules()](std::string_view body) {
    return html_page("Tandem: custom kernels against libraries", style, body);
  };
  std::size_t bytes = whole(begin).size();
  for (const Part& part : parts) bytes += part.html.size() + (part.ends_section() ? kLeftOutBytes : 0);
  bytes += kLeftOutBytes;
  for (const int rank : {kTable, kOtherPicture, kMainTable, kMap, kPicture, kData}) {
    for (std::size_t p = parts.size(); p-- > 0 && bytes > most;) {
      Part& part = parts[p];
      if (part.rank != rank || part.html.empty()) continue;
      bytes -= part.html.size();
      part.html.clear();
      part.is_left_out = true;
    }
  }
  std::string body = begin;
  std::vector<std::string> left_out;  // of the section
  for (const Part& part : parts) {
    if (part.is_left_out) left_out.push_back(part.name);
    if (part.ends_section()) body += said_of(std::exchange(left_out, {}));
    body += part.html;
  }
  body += said_of(left_out);
  std::string out = whole(body);
  if (out.size() > most) {
    throw InvalidArgument(
        fmt::format("a page of these files would be {} long; it may be {}: name fewer files",
                    show_bytes(static_cast<double>(out.size())), show_bytes(static_cast<double>(most))));
  }
  return out;
}

}  // namespace tandem::command
