// The figures of a report's page.

#include "bench/report/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "bench/report/html.h"
#include "bench/report/plots.h"
#include "bench/terminal.h"
#include "lib/core/registry.h"

namespace tandem::command {
namespace {

constexpr double kEqual = 0.03;  // times that differ by less are called equal

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }
std::string factor(double ratio) {
  return ratio < 10 ? fmt::format("{:.2f}×", ratio) : fmt::format("{:.0f}×", ratio);
}

std::string plural(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string grid(const std::string& panels) {
  return panels.empty() ? "" : "<div class='grid'>" + panels + "</div>\n";
}

/// The libraries of a series and what the figures call its best step: the same everywhere on the page.
class Cast {
 public:
  explicit Cast(const Series& series) : size(series.sizes().back()), series_(series) {
    best = series.fastest("custom", size);
    vendor = series.fastest("vendor", size);
  }
  Who who(const Result& r) const {
    if (!r.custom()) return Who::vendor;
    return best && r.implementation == best->implementation ? Who::best : Who::other;
  }
  /// Which of the libraries it is: of dashes and marks.
  int style(const Result& r) const {
    int before = 0;
    for (const std::string& name : series_.implementations()) {
      if (name == r.implementation) break;
      before += name.find("/vendor/") != name.npos;
    }
    return before;
  }

  Series::Size size;  // the largest
  const Result *best, *vendor;

 private:
  const Series& series_;
};

std::vector<double> ratios(const Series& series) {
  std::vector<double> all;
  for (const Series::Size& size : series.sizes()) {
    if (const auto ratio = series.against_vendor(size)) all.push_back(*ratio);
  }
  return all;
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

/// "n = 64M", or a shape.
std::string at(const Series& series, const Series::Size& size) {
  return (series.over_n() ? "n = " : "") + series.label(size);
}

std::string tile(const Series& series) {
  const Cast cast(series);
  const Result *mine = cast.best, *theirs = cast.vendor, *shown = mine ? mine : theirs;
  if (!shown) return {};
  std::string verdict, across;
  if (mine && theirs) {
    const double ratio = theirs->seconds / mine->seconds;
    const char* sign = ratio > 1 + kEqual ? "▲" : ratio < 1 - kEqual ? "▼" : "●";
    const char* words = std::abs(ratio - 1) > kEqual ? "as fast as" : "equal to";
    verdict =
        fmt::format("<strong class='{}'>{} {}</strong><span>{} {}</span>", ratio < 1 - kEqual ? "lib" : "own",
                    sign, factor(ratio), words, escaped(theirs->step()));
    const std::vector<double> all = ratios(series);
    const auto [least, most] = std::ranges::minmax(all);
    const std::string range = all.size() == 1
                                  ? "one size"
                                  : fmt::format("{} sizes: {} to {}, mean {}", all.size(), factor(least),
                                                factor(most), factor(geometric_mean(all)));
    across = spark_line(all) + "<small>" + range + "</small>";
  } else {
    verdict = fmt::format("<strong>–</strong><span>no {} to compare with</span>",
                          mine ? "library" : "custom kernel");
  }
  return fmt::format("<div class='tile'><b>{}</b><small>{}, {}</small>{}{}<small>{}, {}{}</small></div>\n",
                     escaped(series.operation), escaped(series.case_name()), escaped(at(series, cast.size)),
                     verdict, across, escaped(shown->step()), show_time(shown->seconds),
                     shown->fraction ? ", " + percent(*shown->fraction) + " of the bound" : "");
}

std::string verdicts(const std::vector<const Series*>& main) {
  std::string tiles;
  int faster = 0, equal = 0, compared = 0;
  for (const Series* series : main) {
    tiles += tile(*series);
    if (const auto ratio = series->against_vendor(series->sizes().back())) {
      ++compared;
      faster += *ratio > 1 + kEqual;
      equal += std::abs(*ratio - 1) <= kEqual;
    }
  }
  const std::string verdict =
      compared == 0 ? "no operation has both a custom kernel and a library"
                    : fmt::format(
                          "of {} at their largest size the best custom kernel is faster than every "
                          "library in {}, equal in {}, slower in {}",
                          plural(static_cast<std::size_t>(compared), "operation"), faster, equal,
                          compared - faster - equal);
  return captioned(
      "Verdict: " + verdict, tiles.empty() ? "" : "<div class='tiles'>" + tiles + "</div>\n",
      fmt::format(
          "The number is the time of the fastest library ÷ that of the fastest custom kernel: above 1 (▲) "
          "the custom kernel wins, within {} both are equal (●); the line shows it from the smallest "
          "size to the largest, from ¼ to 4, dashed at 1.",
          percent(kEqual)));
}

Panel panel_of(const Series& series, std::vector<Series::Size> sizes) {
  Panel panel{series.title(), "", {}, {}, series.over_n(), {}};
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    panel.sizes.push_back(series.label(sizes[s]));
    const auto position = [&](std::size_t i) {
      return panel.connected ? std::log2(static_cast<double>(sizes[i].n)) : static_cast<double>(i);
    };
    const double all = position(sizes.size() - 1) - position(0);
    panel.place.push_back(all > 0 ? (position(s) - position(0)) / all : 0.5);
  }
  return panel;
}

std::string against_vendors(const Machine& machine, const std::vector<const Series*>& main) {
  std::string panels;
  for (const Series* series : main) {
    Panel panel = panel_of(*series, series->sizes());
    std::vector<std::string> methods{series->method};
    for (const char* other : {"graph", "cold", "behind"}) {
      if (series->method != other) methods.emplace_back(other);
    }
    std::vector<std::string> libraries;
    int style = 0;
    for (const std::string& method : methods) {
      const Series* same = machine.by(*series, method);
      if (!same) continue;
      Curve curve{method, style == 0 ? Who::best : Who::also, style, {}};
      for (std::size_t s = 0; s < series->sizes().size(); ++s) {
        const Series::Size& size = series->sizes()[s];
        const auto ratio = same->against_vendor(size);
        if (!ratio) continue;
        const std::string library = same->fastest("vendor", size)->step();
        if (std::ranges::find(libraries, library) == libraries.end()) libraries.push_back(library);
        curve.points.push_back({s, *ratio,
                                fmt::format("{}: {} ({} against {})", panel.sizes[s], factor(*ratio),
                                            same->fastest("custom", size)->step(), library)});
      }
      if (!curve.points.empty()) panel.curves.push_back(std::move(curve)), ++style;
    }
    if (panel.curves.empty()) continue;
    panel.subtitle = fmt::format("against {}", fmt::join(libraries, ", "));
    panels += ratio_panel(panel);
  }
  return captioned(
      "Against the libraries, over size", grid(panels),
      "Time of the fastest library ÷ time of the fastest custom kernel: above the line at 1× the "
      "custom kernel is "
      "faster; hot: called back to back, graph: replayed from a CUDA graph, cold: from memory. "
      "Dots that no line "
      "joins are shapes of different kinds.");
}

std::string of_bounds(const std::vector<const Series*>& main) {
  std::string panels;
  std::vector<std::string> cached;
  for (const Series* series : main) {
    std::vector<Series::Size> sizes;
    for (const Series::Size& size : series->sizes()) {
      if (std::ranges::any_of(series->implementations(), [&](const std::string& name) {
            const Result* r = series->at(name, size);
            return r && r->fraction && r->competes();
          }))
        sizes.push_back(size);
    }
    if (sizes.empty()) {
      cached.push_back(series->operation);
      continue;
    }
    const Cast cast(*series);
    Panel panel = panel_of(*series, sizes);
    std::string best;
    for (const std::string& name : series->implementations()) {
      Curve curve{"", Who::other, 0, {}};
      for (std::size_t s = 0; s < sizes.size(); ++s) {
        const Result* r = series->at(name, sizes[s]);
        if (!r || !r->fraction || !r->competes()) continue;
        curve.name = r->step(), curve.who = cast.who(*r), curve.style = cast.style(*r);
        if (curve.who == Who::best) best = percent(*r->fraction);
        curve.points.push_back(
            {s, *r->fraction,
             curve.who == Who::other || (curve.who == Who::vendor &&
                                         s + 1 < sizes.size())  // a word of each of many would be long
                 ? ""
                 : fmt::format("{}: {}, {}", panel.sizes[s], percent(*r->fraction), show_time(r->seconds))});
      }
      if (!curve.points.empty()) panel.curves.push_back(std::move(curve));
    }
    panel.subtitle =
        best.empty() ? "share of the bound" : "share of the bound; the best step ends at " + best;
    panels += share_panel(panel);
  }
  const std::string rest = cached.empty()
                               ? ""
                               : fmt::format(" Without a bound, because their data fits in the caches: {}.",
                                             fmt::join(cached, ", "));
  return captioned(
      "Share of the bound, over size", grid(panels),
      "100 % is the bound: the bandwidth or the rate of arithmetic that was measured in the same run. The "
      "thick "
      "line is the best custom step, dashed lines are libraries, thin ones the other steps of the ladder." +
          rest);
}

OtherCases cases(const Machine& machine) {
  std::map<std::string, std::string> rows;  // by operation
  std::vector<std::string> order;
  const std::vector<const Series*> main = machine.main_series();
  for (const Series& series : machine.series) {
    if (std::ranges::find(main, &series) != main.end()) continue;
    std::string cells;
    for (const Series::Size& size : series.sizes()) {
      const auto ratio = series.against_vendor(size);
      if (!ratio) continue;
      cells += fmt::format("<i{}><small>{}</small>{}</i>",
                           *ratio > 1 + kEqual   ? " class='w'"
                           : *ratio < 1 - kEqual ? " class='l'"
                                                 : "",
                           escaped(series.label(size)), factor(*ratio));
    }
    if (cells.empty()) continue;
    if (!rows.contains(series.operation)) order.push_back(series.operation);
    rows[series.operation] +=
        fmt::format("<span>{}</span><div>{}</div>\n", escaped(series.case_name()), cells);
  }
  OtherCases out;
  for (const std::string& operation : order)
    out.operations.emplace_back(operation,
                                fmt::format("<h4>{}</h4>\n", escaped(operation)) + rows[operation]);
  if (out.operations.empty()) return out;
  constexpr std::string_view kRows = "<!-- -->";
  const std::string figure =
      captioned("The other cases against the libraries", fmt::format("<div class='cases'>{}</div>\n", kRows),
                "Time of the fastest library ÷ time of the fastest custom kernel, at each size: underlined "
                "where the custom "
                "kernel is faster by more than 3 %, overlined where the library is.");
  const std::size_t at = figure.find(kRows);
  out.begin = figure.substr(0, at), out.end = figure.substr(at + kRows.size());
  return out;
}

// --- ladders ---

const std::string& note_of(const std::string& implementation) {
  static const std::string kNone;
  for (const Implementation& i : implementations()) {
    if (i.name == implementation) return i.note;
  }
  return kNone;
}

/// What the trace and the registry say of a step.
std::string why(const Result& r, const Reasons& reasons, const Machine& machine, const Series& series,
                const Series::Size& size) {
  std::vector<std::string> words;
  if (!r.custom()) words.emplace_back("library");
  if (!r.apart.empty()) words.push_back(r.apart + ", so no rival");
  if (const std::string& note = note_of(r.implementation); !note.empty()) words.push_back(note);
  std::string text = escaped(fmt::format("{}", fmt::join(words, ": ")));
  const Counts* counts = reasons.of(r.implementation);
  if (!counts) return text;
  text += (text.empty() ? "" : "<br>") + escaped(counts->str());
  const bool same_case = counts->input.starts_with(
      fmt::format("{}{},", series.type, series.op == "none" ? "" : " " + series.op));
  const auto least = std::ranges::find(counts->at_least, size.n, &Counts::Least::n);
  if (counts->device == machine.name && same_case && size.is_regular() && least != counts->at_least.end())
    text += fmt::format(" · at least {} ({})", show_time(least->seconds), escaped(least->limiter));
  if (!counts->advice.empty()) text += "<br><b>" + escaped(counts->advice.front()) + "</b>";
  return text;
}

/// Of an axis that holds most samples' distances from their medians; the others stand at its ends.
double sample_range(const std::vector<const Result*>& rows) {
  std::vector<double> distances{0};
  for (const Result* r : rows) {
    for (const double sample : r->samples) distances.push_back(std::abs(sample / r->seconds - 1));
  }
  std::ranges::sort(distances);
  const double most = distances[(distances.size() - 1) * 9 / 10];
  for (const double range : {0.01, 0.02, 0.05, 0.1, 0.2}) {
    if (most <= range) return range;
  }
  return 0.5;
}

std::string ladder(const Machine& machine, const Series& series, const Reasons& reasons) {
  const Cast cast(series);
  std::vector<const Result*> rows;
  std::vector<std::string> untimed;
  bool bounded = false;
  double fastest = std::numeric_limits<double>::infinity();  // seconds
  for (const std::string& name : series.implementations()) {
    if (const Result* r = series.at(name, cast.size)) {
      rows.push_back(r);
      fastest = std::min(fastest, r->seconds);
      bounded |= r->fraction.has_value() && r->competes();
    } else {
      untimed.push_back(name.substr(name.rfind('/') + 1));
    }
  }
  const double range = sample_range(rows);
  std::string body;
  for (const Result* r : rows) {
    const double share = bounded ? r->fraction.value_or(0) : fastest / r->seconds;
    const Result* before = series.before(*r, cast.size);
    const Who who = cast.who(*r);
    const std::string steady = r->samples.empty()
                                   ? ""
                                   : fmt::format(" title='{} to {}'", show_time(std::ranges::min(r->samples)),
                                                 show_time(std::ranges::max(r->samples)));
    body += fmt::format("<tr{}><td>{}<td>{}<td>{}<td>{}<td{}>{}<td>{}<td>{}\n",
                        who == Who::best     ? " class='best'"
                        : who == Who::vendor ? " class='vendor'"
                                             : "",
                        escaped(r->step()),
                        r->competes() ? fmt::format("<i style='width:{:.1f}%' title='{}'></i>",
                                                    100 * std::min(1.0, share), percent(share))
                                      : "",
                        show_time(r->seconds), before ? factor(before->seconds / r->seconds) : "", steady,
                        r->samples.empty() ? fmt::format("{:.1f} %", 100 * r->spread)
                                           : samples_strip(r->samples, r->seconds, range),
                        r->error ? fmt::format("{:.2g}", *r->error) : "",
                        why(*r, reasons, machine, series, cast.size));
  }
  if (body.empty()) return {};
  const std::string rest = untimed.empty()
                               ? ""
                               : fmt::format("<p class='dim'>No time at this size: {}.</p>",
                                             escaped(fmt::format("{}", fmt::join(untimed, ", "))));
  return fmt::format(
      "<div><h4>{0}, {1}<small class='phone'>bars: {2}; samples: ±{3:.0f} %</small></h4>"
      "<table class='ladder'><thead><tr><th>step<th>{2}<th>time<th>× before<th>±{3:.0f} "
      "%<th>error<th>why</thead>"
      "<tbody>\n{4}</tbody></table>{5}</div>\n",
      escaped(series.title()), escaped(at(series, cast.size)),
      bounded ? "share of the bound" : "rate, of the fastest", 100 * range, body, rest);
}

std::string ladders(const Machine& machine, const std::vector<const Series*>& main, const Reasons& reasons) {
  std::string body;
  for (const Series* series : main) body += ladder(machine, *series, reasons);
  return captioned(
      "The ladders: each step, how steady it is, how exact, and why",
      body.empty() ? "" : "<div class='ladders'>" + body + "</div>\n",
      "Steps stand in the order of the ladder, libraries (hatched) below; a bar that reaches the line at its "
      "right end is at the bound. × before: against the step before. Under ± each tick is a repetition at "
      "its "
      "distance from the median (where samples were not recorded, their spread); error: the worst ÷ what is "
      "allowed; below a step's idea stands what tandem trace counted, and its advice.");
}

// --- roofline, errors, changes ---

std::string roofline_of(const Machine& machine, const std::vector<const Series*>& main) {
  std::vector<Roof> roofs;
  for (const char* name : {"read", "copy"}) {
    if (const auto rate = machine.bound("bounds_gb_per_s", name)) roofs.push_back({name, *rate, true});
  }
  for (const char* name : {"f32", "f64"}) {
    if (const auto rate = machine.bound("bounds_gflop_per_s", name)) roofs.push_back({name, *rate, false});
  }
  std::vector<Mark> marks;
  for (const Series* series : main) {
    const Cast cast(*series);
    for (const Result* r : {cast.best, cast.vendor}) {
      if (!r || r->intensity == 0 || r->rate == 0) continue;
      const double rate = r->unit == "GB/s" ? r->rate * r->intensity : r->rate;
      marks.push_back(
          {series->operation, r->intensity, rate, cast.who(*r),
           fmt::format("{}, {}: {:.4g} {}", r->implementation, at(*series, cast.size), r->rate, r->unit)});
    }
  }
  std::ranges::stable_sort(marks, std::greater{}, &Mark::y);  // names are given places from above
  if (roofs.empty() || marks.empty()) return {};
  return captioned(
      "Roofline", "<div class='wide'>" + roofline(roofs, marks) + "</div>\n",
      "No point can lie above the roofs, which were measured: left of the corner memory is the "
      "limit, right of it "
      "arithmetic. A dot is the best custom kernel of an operation at its largest size, the hollow "
      "square joined to it "
      "the fastest library.");
}

std::string errors(const std::vector<const Series*>& main) {
  std::string panels;
  std::vector<std::string> exact;
  for (const Series* series : main) {
    const Cast cast(*series);
    std::vector<Mark> marks;
    double shortest = 0;
    bool any = false;
    for (const std::string& name : series->implementations()) {
      const Result* r = series->at(name, cast.size);
      if (!r || !r->error) continue;
      shortest = shortest == 0 ? r->seconds : std::min(shortest, r->seconds);
      any |= *r->error > 0;
      marks.push_back({r->step(), r->seconds, *r->error, cast.who(*r),
                       fmt::format("{}: {}, error {:.2g} of what is allowed", r->implementation,
                                   show_time(r->seconds), *r->error)});
    }
    if (marks.empty()) continue;
    if (!any) {
      exact.push_back(series->operation);
      continue;
    }
    constexpr std::ptrdiff_t kFew = 5;
    const auto others = std::ranges::count(marks, Who::other, &Mark::who);
    for (Mark& mark : marks) {
      mark.x /= shortest;
      if (mark.who == Who::other && others > kFew) mark.name.clear();
    }
    panels += error_panel(fmt::format("{}, {}", series->title(), at(*series, cast.size)), marks);
  }
  const std::string rest =
      exact.empty() ? "" : fmt::format(" Exact in every row: {}.", fmt::join(exact, ", "));
  return captioned(
      "Error beside speed", grid(panels),
      "To the left is faster (time ÷ the shortest), below is more exact (the worst error ÷ what "
      "its bound allows, 0 on "
      "the lowest line): the best rows are at the lower left, and none may lie above 100 %. Small "
      "dots: the other steps." +
          rest);
}

std::string changes_of(const Machine& machine, const Baseline::Changes& changes) {
  constexpr std::size_t kMost = 40;
  std::vector<std::size_t> order(changes.beyond_noise.size());
  for (std::size_t c = 0; c < order.size(); ++c) order[c] = c;
  const auto size_of = [&](std::size_t c) {
    return std::abs(std::log(changes.beyond_noise[c].is / changes.beyond_noise[c].was));
  };
  std::ranges::stable_sort(order, std::greater{}, size_of);
  const DataTable data = changes_table(machine, changes);
  const double range = order.empty() ? 2 : std::clamp(std::exp(size_of(order[0])), 2.0, 64.0);
  std::string body;
  for (std::size_t o = 0; o < std::min(kMost, order.size()); ++o) {
    const Baseline::Change& change = changes.beyond_noise[order[o]];
    const std::vector<std::string>& row = data.rows[order[o]];
    const bool slower = change.is > change.was;
    body +=
        fmt::format("<tr class='{}'><td>{}<td>{}<td>{}<td>{} {}<td>{}<td>{} → {}\n", slower ? "down" : "up",
                    escaped(row[0]), escaped(row[1]), escaped(row[2]), slower ? "▼ slower" : "▲ faster",
                    factor(slower ? change.is / change.was : change.was / change.is),
                    change_strip(change.was / change.is, change.noise, range), row[3], row[4]);
  }
  const std::string title = fmt::format("Changes beyond noise: {} of {} that both runs have",
                                        changes.beyond_noise.size(), plural(changes.compared, "row"));
  if (body.empty())
    return captioned(title, "<p>No row differs beyond noise.</p>",
                     "A row counts where its time differs by more than both spreads and a tenth.");
  return captioned(
      title, "<div class='scroll'><table class='changes'><tbody>" + body + "</tbody></table></div>\n",
      fmt::format("An arrow to the right is a row that became faster, on an axis from 1/{0:.2g} to {0:.2g}; "
                  "the grey part is "
                  "what noise could explain (both spreads and a tenth).{1}",
                  range,
                  order.size() > kMost ? fmt::format(" The largest {}; the table has all.", kMost) : ""));
}

}  // namespace

/// `reading`: the sentence that says how.
std::string captioned(const std::string& title, const std::string& body, const std::string& reading) {
  if (body.empty()) return {};
  return fmt::format("<figure><h3>{}</h3>\n{}<figcaption>{}</figcaption></figure>\n", escaped(title), body,
                     escaped(reading));
}

Figures figures(const Machine& machine, const Reasons& reasons, const Baseline::Changes* changes) {
  const std::vector<const Series*> main = machine.main_series();
  return {verdicts(main) + against_vendors(machine, main), of_bounds(main), ladders(machine, main, reasons),
          roofline_of(machine, main) + errors(main) + (changes ? changes_of(machine, *changes) : "")};
}

OtherCases other_cases(const Machine& machine) { return cases(machine); }

}  // namespace tandem::command
