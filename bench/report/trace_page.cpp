#include "bench/report/trace_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/report/html.h"
#include "bench/report/trace_page_style.h"
#include "bench/report/trace_source.h"
#include "bench/report/trace_steps.h"
#include "bench/terminal.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

constexpr std::size_t kMostRounds = 128;  // more would take too much of the window

/// Its launches and what they ask for, kernel by kernel.
DataTable kernels(const Traced& traced) {
  DataTable data{"", "", {"kernel", "launched as"}, {}};
  data.head.insert(data.head.end(), kFigureHeads.begin(), kFigureHeads.end());
  for (const LaunchGroup& group : grouped(traced.trace.launches)) {
    auto row = cells(group.sum.global, group.sum.shared);
    row.insert(row.begin(), {group.sum.kernel, group.str()});
    data.rows.push_back(std::move(row));
  }
  return data;
}

std::string races(const Traced& traced) {
  constexpr std::size_t kMost = 5;
  const auto& all = traced.trace.races;
  if (all.empty()) return "<p>No races.</p>\n";
  std::string out;
  for (std::size_t r = 0; r < std::min(kMost, all.size()); ++r)
    out += fmt::format("<p class='bad'>{}</p>\n", escaped(all[r].str()));
  if (all.size() > kMost)
    out += fmt::format("<p class='bad'>And {} more pairs of lines.</p>\n", all.size() - kMost);
  return out;
}

/// A step in a column of its own. `prefix`: of all its ids.
struct Column {
  Column(const Traced& t, const char* p) : traced(t), prefix(p), source(t, p) {}

  /// `named`: beside another, so that it needs a name of its own.
  std::string html(const ShownRounds& rows, bool named) const {
    const simt::LaunchTraffic& launch = most_requests(traced.trace.launches);
    std::string out = fmt::format("<section class='step' id='{}'>", prefix);
    if (named)
      out += fmt::format("<h2>{}</h2><p>{}.</p>\n", escaped(traced.name()),
                         escaped(traced.implementation->note));
    if (traced.cost) out += fmt::format("<p class='dim'>{}</p>\n", describe(*traced.cost));
    out += table(kernels(traced)) + source.worst() + races(traced) + "<h3>Source</h3>\n" + source.html(rows);
    out += fmt::format(
        "<h3 id='{}warp'>The first warp, round by round</h3>\n<p class='dim'>Of {}: each box is a thread, "
        "with the element "
        "that it touches (first), in its array or in shared memory, and under it the bank of shared memory "
        "(the word mod "
        "32) or the 32-byte sector of global memory. ← and → move once a round is chosen.</p>\n",
        prefix, escaped(launch.kernel));
    return out + legend() + warp_steps(source, rows, size_of(traced.type), prefix) + "</section>\n";
  }

  const Traced& traced;
  std::string prefix;
  TracedSource source;
};

/// What two steps differ in.
std::string differences(const Traced& before, const Traced& step) {
  DataTable data = comparison(before, step);
  std::erase_if(data.rows, [](const auto& row) { return row[1] == row[2]; });
  if (data.rows.empty()) return "<p>Both ask for the same.</p>\n";
  return table(data) + "<p class='dim'>What is not named is the same in both.</p>\n";
}

}  // namespace

std::string kernel_page(const Traced& step, const Traced* before, std::size_t most) {
  std::vector<Column> columns;
  columns.emplace_back(step, "a");
  if (before) columns.emplace_back(*before, "b");
  std::string head = fmt::format(
      "<h1>{}</h1>\n<p>{}.</p>\n<p class='dim'>{}, counted on the CPU by tandem trace {}.</p>\n<nav><a "
      "href='#a'>source</a>"
      "<a href='#awarp'>the first warp</a>",
      escaped(step.name()), escaped(step.implementation->note), escaped(step.title), TANDEM_VERSION_STRING);
  if (before) head += fmt::format("<a href='#totals'>totals</a><a href='#b'>{}</a>", escaped(before->name()));
  head += "</nav>\n";
  if (before) {
    head += fmt::format("<section id='totals'><h2>Against {}</h2>\n{}</section>\n", escaped(before->name()),
                        differences(*before, step));
  }
  const DataTable times = before ? predictions({before, &step}) : predictions({&step});
  if (!times.rows.empty()) head += table(times) + "<p class='dim'>" + escaped(times.note) + ".</p>\n";

  std::string page;
  for (std::size_t rounds = kMostRounds;; rounds /= 2) {
    std::string body = head, style = std::string(kTracePageStyle) + cost_style();
    body += before ? "<div class='pair'>\n" : "<div>\n";
    for (const Column& column : columns) {
      const ShownRounds rows = folded(column.source.rounds(), rounds);
      style += column.source.style(rows);
      body += column.html(rows, before);
    }
    page = html_page(step.name() + ": what its lines ask of memory", style, body + "</div>\n");
    if (page.size() <= most) return page;
    if (rounds == 0) break;
  }
  throw InvalidArgument(fmt::format("a page of {} would be {} long; it may be {}", step.name(),
                                    show_bytes(static_cast<double>(page.size())),
                                    show_bytes(static_cast<double>(most))));
}

}  // namespace tandem::command
