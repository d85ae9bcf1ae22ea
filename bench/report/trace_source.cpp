#include "bench/report/trace_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "bench/report/html.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

using simt::LineTraffic;
using simt::Round;
using simt::SourceLine;

constexpr unsigned kAround = 2;  // lines of context

std::string base(const std::string& file) { return file.substr(file.rfind('/') + 1); }

void add_once(std::vector<std::string>& sentences, const std::string& sentence) {
  if (!sentence.empty() && std::ranges::find(sentences, sentence) == sentences.end())
    sentences.push_back(sentence);
}

/// The step's file as debug information names it: the registry keeps the last three parts of its path.
std::string own_file(const Traced& traced) {
  const std::string& name = traced.implementation->file;
  for (const simt::LaunchTraffic& launch : traced.trace.launches) {
    for (const LineTraffic& line : launch.lines) {
      if (line.line.file.ends_with("/" + name)) return line.line.file;
    }
  }
  return name;
}

bool comment(const std::string& line) {
  const auto begin = line.find_first_not_of(' ');
  return begin != line.npos && line.compare(begin, 2, "//") == 0;
}

}  // namespace

TracedSource::TracedSource(const Traced& traced, std::string prefix)
    : prefix_(std::move(prefix)), rounds_(&most_requests(traced.trace.launches).rounds) {
  const std::string own = own_file(traced);
  if (file(own).text.empty()) {
    throw Unavailable(
        fmt::format("{}/{}: cannot be read; --html shows the sources that the command was compiled from",
                    TANDEM_SOURCE_DIR, own));
  }
  const auto at = [this](const SourceLine& line) -> Line& { return file(line.file).lines[line.line]; };
  for (const LaunchGroup& group : grouped(traced.trace.launches)) {
    for (const LineTraffic& line : group.sum.lines) {
      add(at(line.line).accesses, {line});
      add_once(at(line.line).advice, advice(line, group.sum));
    }
  }
  for (const simt::Race& race : traced.trace.races) {
    if (!race.uninitialised) add_once(at(race.first.line).races, race.str());
    add_once(at(race.second.line).races, race.str());
  }
  for (const Round& round : *rounds_) at(round.line);
  std::sort(files_.begin() + 1, files_.end(), [](auto& a, auto& b) { return a.name < b.name; });
}

TracedSource::File& TracedSource::file(const std::string& name) {
  const auto known = std::ranges::find(files_, name, &File::name);
  return known != files_.end() ? *known : files_.emplace_back(File{name, source_of(name), {}});
}
const TracedSource::File& TracedSource::file(const std::string& name) const {
  return *std::ranges::find(files_, name, &File::name);
}

std::string TracedSource::id(const SourceLine& line) const {
  return fmt::format("{}{}-{}", prefix_, &file(line.file) - files_.data(), line.line);
}
std::string TracedSource::round_id(std::size_t round) const {
  return fmt::format("{}r{}", prefix_, round + 1);
}

std::string TracedSource::link(const SourceLine& line) const {
  const std::string name = line.file == files_.front().name ? "line " : escaped(base(line.file)) + ":";
  return fmt::format("<a href='#{}'>{}{}</a>", id(line), name, line.line);
}

std::string TracedSource::text(const SourceLine& line) const {
  const auto& text = file(line.file).text;
  if (line.line == 0 || line.line > text.size()) return {};
  const std::string& whole = text[line.line - 1];
  return whole.substr(std::min(whole.size(), whole.find_first_not_of(' ')));
}

std::string TracedSource::worst() const {
  std::vector<std::string> links;
  for (const File& file : files_) {
    for (const auto& [number, line] : file.lines) {
      if (!line.advice.empty()) links.push_back(link({file.name, number}));
    }
  }
  if (links.empty()) return {};
  return fmt::format("<p class='bad'>Costs more than it must: {}.</p>\n", fmt::join(links, ", "));
}

std::string TracedSource::style(const ShownRounds& rows) const {
  std::map<std::string, std::vector<std::string>> chosen;  // by line
  for (const ShownRound& row : rows.rows) {
    if (row.left_out == 0)
      chosen[id((*rounds_)[row.round].line)].push_back(fmt::format("#{}:checked", round_id(row.round)));
  }
  std::string rules;
  for (const auto& [line, rounds] : chosen)
    rules += fmt::format("body:has({}) #{}{{--mark:var(--best);background:var(--best-area)}}\n",
                         fmt::join(rounds, ","), line);
  return rules;
}

std::string TracedSource::html(const ShownRounds& rows) const {
  std::string out;
  for (const File& file : files_) {
    const bool own = &file == files_.data();
    out += fmt::format("<h4>{}{}</h4>\n", escaped(file.name), own ? "" : ": the lines that count");
    out += table(file, own, rows);
  }
  return out;
}

std::string TracedSource::table(const File& file, bool whole, const ShownRounds& rows) const {
  std::set<unsigned> shown;
  const auto last = static_cast<unsigned>(file.text.size());
  if (whole) {
    for (unsigned l = 1; l <= last; ++l) shown.insert(l);
  }
  for (const auto& [number, line] : file.lines) {
    shown.insert(number);
    for (unsigned l = number > kAround ? number - kAround : 1; l <= std::min(number + kAround, last); ++l)
      shown.insert(l);
  }
  std::string out = "<div class='code'><table class='source'><thead><tr><th>line<th>source<th>access";
  for (const std::string& head : kFigureHeads) out += "<th>" + head;
  out += "<th>rounds</thead>\n<tbody>\n";
  unsigned before = 0;
  for (const unsigned number : shown) {
    if (number != before + 1 && before > 0) out += "<tr><th><td class='dim'>⋮</td>\n";
    out += row(file, number, rows);
    before = number;
  }
  return out + "</tbody></table></div>\n";
}

std::string TracedSource::row(const File& file, unsigned number, const ShownRounds& rows) const {
  const std::string text = number > 0 && number <= file.text.size() ? file.text[number - 1] : "";
  const auto found = file.lines.find(number);
  if (found == file.lines.end())
    return fmt::format("<tr><th>{}<td colspan='10'{}>{}</td>\n", number, comment(text) ? " class='dim'" : "",
                       escaped(text));
  const Line& line = found->second;

  // What each access is called, its figures, and its rounds.
  struct Access {
    std::string name;
    std::vector<std::string> figures;
    std::vector<std::size_t> rounds;
  };
  std::vector<Access> accesses;
  for (const LineTraffic& access : line.accesses)
    accesses.push_back({access_name(access.space, access.kind), cells(access), {}});
  for (const ShownRound& row : rows.rows) {
    const Round& round = (*rounds_)[row.round];
    if (row.left_out > 0 || round.line.file != file.name || round.line.line != number) continue;
    const std::string name = exchanges(round) ? deed(round) : access_name(round.space, round.kind);
    auto of = std::ranges::find(accesses, name, &Access::name);
    if (of == accesses.end())
      of = accesses.insert(of, {name, std::vector<std::string>(kFigureHeads.size()), {}});
    of->rounds.push_back(row.round);
  }

  std::string shown = escaped(text);
  const auto leads = std::ranges::find_if(accesses, [](const Access& a) { return !a.rounds.empty(); });
  if (leads != accesses.end())
    shown = fmt::format("<label for='{}'>{}</label>", round_id(leads->rounds.front()), shown);
  std::string out = fmt::format("</tbody><tbody id='{}'{}>\n", id({file.name, number}),
                                line.advice.empty() && line.races.empty() ? "" : " class='bad'");
  const std::string span = accesses.size() > 1 ? fmt::format(" rowspan='{}'", accesses.size()) : "";
  out += fmt::format("<tr><th{}>{}<td{}>{}", span, number, span, shown);
  for (const Access& access : accesses) {
    if (&access != accesses.data()) out += "<tr>";
    out += "<td>" + access.name;
    for (const std::string& figure : access.figures) out += "<td>" + figure;
    out += "<td>";
    for (const std::size_t round : access.rounds)
      out += fmt::format("<label for='{}'>{}</label> ", round_id(round), round + 1);
    out += "</td>\n";
  }
  for (const auto* sentences : {&line.advice, &line.races}) {
    for (const std::string& sentence : *sentences)
      out += fmt::format("<tr><th><td colspan='10' class='says'>{}</td>\n", escaped(sentence));
  }
  return out + "</tbody><tbody>\n";
}

}  // namespace tandem::command
