#include "bench/report/trace_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/terminal.h"
#include "lib/core/names.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

using Json = nlohmann::ordered_json;
using simt::LaunchTraffic;
using simt::LineTraffic;
using simt::Requests;
using simt::Space;

/// What a line costs beyond the least: passes that wait for a bank, lines moved for nothing, and requests for
/// lanes that are idle. Only to put the worst line first.
double waste(const Requests& r) {
  return static_cast<double>(r.extra_wavefronts()) + static_cast<double>(r.sectors - r.least_sectors) / 4 +
         static_cast<double>(r.requests) * (1 - r.lane_use());
}

/// Text of a source line, cut to `width`; empty when the tree is not at hand.
std::string source_text(const simt::SourceLine& line, std::size_t width) {
  const std::vector<std::string> lines = source_of(line.file);
  if (line.line == 0 || line.line > lines.size()) return {};
  std::string text = lines[line.line - 1];
  text.erase(0, text.find_first_not_of(' '));
  return text.size() > width ? text.substr(0, width - 3) + "..." : text;
}

std::string short_name(const simt::SourceLine& line, const std::string& own_file) {
  const std::string file = line.file.substr(line.file.rfind('/') + 1);
  return own_file.ends_with("/" + file) ? fmt::format("{}", line.line)
                                        : fmt::format("{}:{}", file, line.line);
}

constexpr Figure kFigures[] = {
    {"waste", waste},
    {"requests", [](const Requests& r) { return static_cast<double>(r.requests); }},
    {"sectors", [](const Requests& r) { return static_cast<double>(r.sectors); }},
    {"lines", [](const Requests& r) { return static_cast<double>(r.lines); }},
    {"efficiency", [](const Requests& r) { return -r.efficiency(); }},
    {"ways", [](const Requests& r) { return static_cast<double>(r.ways); }},
    {"extra", [](const Requests& r) { return static_cast<double>(r.extra_wavefronts()); }},
    {"lanes", [](const Requests& r) { return -r.lane_use(); }},
};
std::vector<const LineTraffic*> worst_first(const LaunchTraffic& launch, const Figure& by) {
  std::vector<const LineTraffic*> lines;
  for (const LineTraffic& line : launch.lines) lines.push_back(&line);
  std::stable_sort(lines.begin(), lines.end(),
                   [&](auto* a, auto* b) { return by.badness(a->counts) > by.badness(b->counts); });
  return lines;
}

void print_after(const DataTable& table) {
  if (table.rows.empty()) return;
  fmt::print("\n");
  table.print();
}

Json json_of(const Bound& bound) {
  Json terms = Json::object();
  for (std::size_t t = 0; t < bound.terms.size(); ++t) terms[kLimitNames[t]] = bound.terms[t] * 1e9;
  return {{"time_ns", bound.seconds * 1e9},
          {"one_by_one_ns", bound.one_by_one() * 1e9},
          {"limiter", name(bound.limit)},
          {"terms_ns", terms}};
}

Json json_of(const Prediction& prediction) {
  Json calls = Json::array();
  for (const Prediction::Call& call : prediction.calls) {
    Json json = {{"n", call.n}};
    json.update(json_of(call.bound));
    json["recorded_ns"] = call.recorded ? Json(*call.recorded * 1e9) : Json(nullptr);
    json["spread"] = call.recorded ? Json(call.spread) : Json(nullptr);
    json["method"] = call.recorded ? Json(call.method) : Json(nullptr);
    calls.push_back(json);
  }
  return calls;
}

Json figures(const Requests& global, const Requests& shared) {
  Requests all = global;
  all.add(shared);
  return {{"requests", global.requests},
          {"sectors", global.sectors},
          {"lines", global.lines},
          {"efficiency", global.efficiency()},
          {"shared_requests", shared.requests},
          {"bank_conflict_ways", shared.ways},
          {"extra_wavefronts", shared.extra_wavefronts()},
          {"lane_use", all.lane_use()}};
}

}  // namespace

const Figure& figure(const std::string& name) {
  std::vector<std::string> known;
  for (const Figure& f : kFigures) {
    if (f.name == name) return f;
    known.emplace_back(f.name);
  }
  throw InvalidArgument(unknown_name("figure", name, known));
}

void print(const Traced& traced, const Figure& by) {
  const Implementation& i = *traced.implementation;
  print_note(fmt::format("{}  {}{}", i.name, traced.title, traced.cost ? "  " + describe(*traced.cost) : ""));
  if (i.place != Place::simt) fmt::print("  runs on the CPU: no warps, so nothing else to count\n");
  for (const LaunchGroup& group : grouped(traced.trace.launches)) {
    const LaunchTraffic& l = group.sum;
    fmt::print("\n");
    print_note(fmt::format("{}: {}", l.kernel, group.str()));
    std::vector<std::string> head{"line", "access"};
    head.insert(head.end(), kFigureHeads.begin(), kFigureHeads.end());
    head.push_back("source");
    Table table(head);
    table.may_leave_out({"lines"});
    std::vector<std::string> sentences;
    for (const LineTraffic* line : worst_first(l, by)) {
      const std::string text = advice(*line, l);
      auto row = cells(*line);
      row.insert(row.begin(), {short_name(line->line, i.file), access_name(line->space, line->kind)});
      row.push_back(source_text(line->line, 60));
      table.add(row, text.empty() ? Colour::none : Colour::bad);
      const std::string place = fmt::format("line {}: ", short_name(line->line, i.file));
      const bool said =
          std::any_of(sentences.begin(), sentences.end(), [&](auto& s) { return s.starts_with(place); });
      if (!text.empty() && !said) sentences.push_back(place + text);
    }
    auto row = cells(l.global, l.shared);
    row.insert(row.begin(), {"all", ""});
    table.add(row);
    table.print();
    for (const std::string& sentence : sentences) print_note(sentence, Colour::bad);
  }
  if (i.place != Place::simt) return;
  fmt::print("\n{}", traced.trace.races.empty() ? "no races\n" : "");
  print_races(traced);
  if (traced.prediction) print_after(bounds(*traced.prediction, traced.trace.launches));
  print_after(predictions({&traced}));
}

void print_races(const Traced& traced) {
  const auto& races = traced.trace.races;
  constexpr std::size_t kMost = 5;
  for (std::size_t r = 0; r < std::min(kMost, races.size()); ++r) print_note(races[r].str(), Colour::bad);
  if (races.size() > kMost)
    fmt::print("and {} more pairs of lines (--json lists all)\n", races.size() - kMost);
}

void print_comparison(const Traced& a, const Traced& b) {
  comparison(a, b).print();
  print_after(predictions({&a, &b}));
}

Json json_of(const Traced& traced) {
  const auto side = [](const simt::Race::Side& s) {
    return Json{{"file", s.line.file}, {"line", s.line.line}, {"block", s.block}, {"thread", s.thread}};
  };
  const Json steps = traced.cost ? Json(traced.cost->steps) : Json(nullptr);  // of the whole call
  const Json work = traced.cost ? Json(traced.cost->work) : Json(nullptr);
  const Json peak = traced.cost ? Json(traced.cost->peak) : Json(nullptr);
  Json launches = Json::array();
  for (const LaunchTraffic& l : traced.trace.launches) {
    Json launch = {{"implementation", traced.implementation->name},
                   {"input", traced.title},
                   {"kernel", l.kernel},
                   {"grid", {l.grid.x, l.grid.y, l.grid.z}},
                   {"block", {l.block.x, l.block.y, l.block.z}}};
    launch.update(figures(l.global, l.shared));
    launch["barriers"] = static_cast<double>(l.barriers) / static_cast<double>(l.grid.count());  // per block
    const auto [reads, writes] = thread_accesses(l);
    launch["thread_reads"] = reads;
    launch["thread_writes"] = writes;
    launch["steps"] = steps;
    launch["work"] = work;
    launch["peak"] = peak;
    if (traced.prediction) {
      const Prediction& prediction = *traced.prediction;
      launch["device"] = prediction.gpu->device;
      launch["at_least"] = json_of(prediction.launches[launches.size()]);
      if (launches.empty()) launch["calls"] = json_of(prediction);
    }
    launch["sites"] = Json::array();
    for (const LineTraffic& line : l.lines) {
      const bool shared = line.space == Space::shared;
      Json site = {
          {"file", line.line.file}, {"line", line.line.line}, {"access", access_name(line.space, line.kind)}};
      site.update(figures(shared ? Requests{} : line.counts, shared ? line.counts : Requests{}));
      if (const std::string text = advice(line, l); !text.empty()) site["advice"] = text;
      launch["sites"].push_back(site);
    }
    launch["races"] = Json::array();
    for (const simt::Race& race : traced.trace.races) {
      if (race.kernel != l.kernel) continue;
      Json entry = {{"text", race.str()}, {"count", race.count}, {"second", side(race.second)}};
      if (!race.uninitialised) entry["first"] = side(race.first);
      launch["races"].push_back(entry);
    }
    launches.push_back(launch);
  }
  if (traced.trace.launches.empty()) {  // a CPU step
    launches.push_back({{"implementation", traced.implementation->name},
                        {"input", traced.title},
                        {"kernel", nullptr},
                        {"steps", steps},
                        {"work", work},
                        {"peak", peak}});
  }
  return launches;
}

}  // namespace tandem::command
