#include "bench/report/trace_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "bench/terminal.h"
#include "lib/core/names.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

using Json = nlohmann::ordered_json;
using simt::Kind;
using simt::LaunchTraffic;
using simt::LineTraffic;
using simt::Requests;
using simt::Space;

std::string access_name(Space space, Kind kind) {
  return fmt::format("{} {}",
                     kind == Kind::load    ? "load"
                     : kind == Kind::store ? "store"
                                           : "atomic",
                     space == Space::shared ? "shared" : "global");
}

std::string percent(double x) { return fmt::format("{:.0f}%", 100 * x); }

/// What a line costs beyond the least: passes that wait for a bank, lines moved for nothing, and requests for
/// lanes that are idle. Only to put the worst line first.
double waste(const Requests& r) {
  return static_cast<double>(r.extra_wavefronts()) + static_cast<double>(r.sectors - r.least_sectors) / 4 +
         static_cast<double>(r.requests) * (1 - r.lane_use());
}

/// One sentence on a line that costs much more than it must; empty for others. Lines that are few against the
/// whole launch are left alone.
std::string advice(const LineTraffic& line, const LaunchTraffic& launch) {
  const Requests& r = line.counts;
  const auto all = static_cast<double>(launch.global.requests + launch.shared.requests);
  if (static_cast<double>(r.requests) < 0.05 * all) return {};
  if (r.extra_wavefronts() > r.least_wavefronts / 10) {
    return fmt::format(
        "up to {}-way bank conflicts: {} of {} passes through shared memory only wait; let neighbouring "
        "lanes touch neighbouring words, or pad the array",
        r.ways, r.extra_wavefronts(), r.wavefronts);
  }
  if (r.sectors > 2 * r.least_sectors && r.sectors > 2 * r.requests) {
    return fmt::format(
        "uncoalesced: a request moves {:.1f} sectors of 32 bytes where {:.1f} would hold its data; let "
        "neighbouring lanes touch neighbouring elements",
        static_cast<double>(r.sectors) / static_cast<double>(r.requests),
        static_cast<double>(r.least_sectors) / static_cast<double>(r.requests));
  }
  if (r.lane_use() < 0.5 && r.lanes > r.requests && 2 * r.requests > 3 * r.least_requests) {
    return fmt::format(
        "{:.1f} of 32 lanes at work: in neighbouring threads {} requests would do instead of {}, and whole "
        "warps could retire",
        32 * r.lane_use(), r.least_requests, r.requests);
  }
  return {};
}

/// Text of a source line, cut to `width`; empty when the tree is not at hand.
std::string source_text(const simt::SourceLine& line, std::size_t width) {
  std::ifstream file(std::string(TANDEM_SOURCE_DIR) + "/" + line.file);
  std::string text;
  for (unsigned l = 0; l < line.line && std::getline(file, text); ++l) {
  }
  if (!file) return {};
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

std::vector<std::string> cells(const Requests& global, const Requests& shared) {
  Requests all = global;
  all.add(shared);
  const bool g = global.requests > 0, s = shared.requests > 0;
  return {fmt::format("{}", all.requests),
          g ? fmt::format("{}", global.sectors) : "",
          g ? fmt::format("{}", global.lines) : "",
          g ? percent(global.efficiency()) : "",
          s ? fmt::format("{}", shared.ways) : "",
          s ? fmt::format("{}", shared.extra_wavefronts()) : "",
          percent(all.lane_use())};
}
std::vector<std::string> cells(const LineTraffic& line) {
  return line.space == Space::shared ? cells({}, line.counts) : cells(line.counts, {});
}

// Launches of the same kernel with the same block are levels of one algorithm and shown as one.
struct Group {
  LaunchTraffic sum;  // its grid is the first launch's
  std::vector<std::uint64_t> blocks;
};
std::vector<Group> grouped(const std::vector<LaunchTraffic>& launches) {
  std::vector<Group> all;
  for (const LaunchTraffic& l : launches) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const Group& g) {
      return g.sum.kernel == l.kernel && g.sum.block.count() == l.block.count();
    });
    if (same == all.end()) {
      all.push_back({l, {l.grid.count()}});
      continue;
    }
    LaunchTraffic& sum = same->sum;
    same->blocks.push_back(l.grid.count());
    sum.barriers += l.barriers;
    sum.global.add(l.global);
    sum.shared.add(l.shared);
    for (const LineTraffic& line : l.lines) {
      const auto known = std::find_if(sum.lines.begin(), sum.lines.end(), [&](const LineTraffic& m) {
        return m.line == line.line && m.space == line.space && m.kind == line.kind;
      });
      if (known == sum.lines.end())
        sum.lines.push_back(line);
      else
        known->counts.add(line.counts);
    }
  }
  return all;
}

// "2 launches of 16 + 1 blocks of 256 threads, 9 barriers per block"
std::string describe(const Group& group) {
  const auto plural = [](std::uint64_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  std::uint64_t blocks = 0;
  std::string each;
  for (const std::uint64_t b : group.blocks) {
    blocks += b;
    each += (each.empty() ? "" : " + ") + std::to_string(b);
  }
  const double barriers = static_cast<double>(group.sum.barriers) / static_cast<double>(blocks);
  return fmt::format("{}{} of {}, {:.3g} {} per block",
                     group.blocks.size() == 1 ? "" : fmt::format("{} launches of ", group.blocks.size()),
                     group.blocks.size() == 1 ? plural(blocks, "block") : each + " blocks",
                     plural(group.sum.block.count(), "thread"), barriers,
                     barriers == 1 ? "barrier" : "barriers");
}

// The same line's loads, stores and atomics in one space.
LineTraffic whole_line(const LaunchTraffic& launch, const LineTraffic& line) {
  LineTraffic sum = line;
  sum.counts = {};
  for (const LineTraffic& other : launch.lines) {
    if (other.line == line.line && other.space == line.space) sum.counts.add(other.counts);
  }
  return sum;
}

// What holds each launch up, as it was traced.
void print_bounds(const Prediction& prediction, const std::vector<LaunchTraffic>& launches) {
  std::vector<std::string> columns{prediction.gpu->device, "at least", "limiter"};
  columns.insert(columns.end(), kLimitNames.begin(), kLimitNames.end() - 1);  // steps are of the whole call
  Table table(columns);
  for (std::size_t l = 0; l < launches.size(); ++l) {
    const Bound& bound = prediction.launches[l];
    std::vector<std::string> row{launches[l].kernel, show_time(bound.seconds), name(bound.limit)};
    for (std::size_t t = 0; t + 1 < bound.terms.size(); ++t)
      row.push_back(bound.terms[t] >= 0.01 * bound.seconds ? show_time(bound.terms[t]) : "");  // or of no weight
    table.add(row);
  }
  fmt::print("\n");
  table.print();
}

// How long calls take at least, by n, and what was recorded.
void print_predictions(std::initializer_list<const Traced*> steps) {
  const Gpu* gpu = nullptr;
  std::map<std::int64_t, std::vector<std::pair<const Traced*, const Prediction::Call*>>> sizes;
  for (const Traced* t : steps) {
    if (!t->prediction) continue;
    gpu = t->prediction->gpu;
    for (const Prediction::Call& call : t->prediction->calls) sizes[call.n].emplace_back(t, &call);
  }
  if (!gpu) return;
  Table table({gpu->device, "n", "at least", "limiter", "recorded", "at least ÷ recorded"});
  for (const auto& [n, calls] : sizes) {
    for (const auto& [step, call] : calls)
      table.add({step->implementation->name, show_size(n), show_time(call->bound.seconds), name(call->bound.limit),
                 call->recorded ? show_time(*call->recorded) : "not yet",
                 call->recorded ? percent(call->bound.seconds / *call->recorded) : ""});
  }
  fmt::print("\n");
  table.print();
}

Json json_of(const Bound& bound) {
  Json terms = Json::object();
  for (std::size_t t = 0; t < bound.terms.size(); ++t) terms[kLimitNames[t]] = bound.terms[t] * 1e9;
  return {{"time_ns", bound.seconds * 1e9}, {"limiter", name(bound.limit)}, {"terms_ns", terms}};
}

Json json_of(const Prediction& prediction) {
  Json calls = Json::array();
  for (const Prediction::Call& call : prediction.calls) {
    Json json = {{"n", call.n}};
    json.update(json_of(call.bound));
    json["recorded_ns"] = call.recorded ? Json(*call.recorded * 1e9) : Json(nullptr);
    json["method"] = call.method;
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
  fmt::print("{}  {}", i.name, traced.title);
  if (traced.cost) {
    const auto [work, steps] = *traced.cost;
    fmt::print("  work {}, steps {}: {:.1f} applications side by side on average", work, steps,
               double(work) / double(std::max<std::int64_t>(1, steps)));
  }
  fmt::print("\n");
  if (i.place != Place::simt) fmt::print("  runs on the CPU: no warps, so nothing else to count\n");
  for (const Group& group : grouped(traced.trace.launches)) {
    const LaunchTraffic& l = group.sum;
    fmt::print("\n{}: {}\n", l.kernel, describe(group));
    Table table(
        {"line", "access", "requests", "sectors", "lines", "efficiency", "ways", "extra", "lanes", "source"});
    std::vector<std::string> sentences;
    for (const LineTraffic* line : worst_first(l, by)) {
      const std::string text = advice(whole_line(l, *line), l);
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
    for (const std::string& sentence : sentences) fmt::print("{}\n", paint(sentence, Colour::bad));
  }
  if (i.place != Place::simt) return;
  const auto& races = traced.trace.races;
  constexpr std::size_t kMost = 5;
  fmt::print("\n{}", races.empty() ? "no races\n" : "");
  for (std::size_t r = 0; r < std::min(kMost, races.size()); ++r)
    fmt::print("{}\n", paint(races[r].str(), Colour::bad));
  if (races.size() > kMost)
    fmt::print("and {} more pairs of lines (--json lists all)\n", races.size() - kMost);
  if (traced.prediction) print_bounds(*traced.prediction, traced.trace.launches);
  print_predictions({&traced});
}

void print_comparison(const Traced& a, const Traced& b) {
  const auto total = [](const Traced& t) {
    struct {
      Requests global, shared;
      double blocks = 0, barriers = 0, reads = 0, writes = 0;  // of global memory, by threads
    } sum;
    for (const LaunchTraffic& l : t.trace.launches) {
      sum.global.add(l.global);
      sum.shared.add(l.shared);
      sum.blocks += static_cast<double>(l.grid.count());
      sum.barriers += static_cast<double>(l.barriers);
      for (const LineTraffic& line : l.lines) {
        if (line.space != Space::global) continue;
        (line.kind == Kind::load ? sum.reads : sum.writes) += static_cast<double>(line.counts.lanes);
      }
    }
    return sum;
  };
  const auto x = total(a), y = total(b);
  Requests all_x = x.global, all_y = y.global;
  all_x.add(x.shared);
  all_y.add(y.shared);
  const auto name = [](const Traced& t) {
    return t.implementation->name.substr(t.implementation->name.rfind('/') + 1);
  };
  Table table({a.title, name(a), name(b), "second ÷ first"});
  const auto count = [&](const char* figure, auto p, auto q) {
    const auto u = static_cast<double>(p), v = static_cast<double>(q);
    table.add({figure, fmt::format("{:.10g}", u), fmt::format("{:.10g}", v),
               u > 0 ? fmt::format("{:.3g}", v / u) : "-"});
  };
  const auto share = [&](const char* figure, const Requests& p, const Requests& q,
                         double (Requests::*of)() const) {
    const auto text = [&](const Requests& r) { return r.requests ? percent((r.*of)()) : "-"; };
    table.add({figure, text(p), text(q), ""});
  };
  if (a.cost && b.cost) {
    count("work (operator applications)", a.cost->work, b.cost->work);
    count("steps (longest chain)", a.cost->steps, b.cost->steps);
  }
  count("launches", a.trace.launches.size(), b.trace.launches.size());
  count("blocks", x.blocks, y.blocks);
  count("block barriers", x.barriers, y.barriers);
  count("global reads of threads", x.reads, y.reads);
  count("global writes of threads", x.writes, y.writes);
  count("global requests", x.global.requests, y.global.requests);
  count("global sectors (32 bytes)", x.global.sectors, y.global.sectors);
  count("global lines (128 bytes)", x.global.lines, y.global.lines);
  share("global memory efficiency", x.global, y.global, &Requests::efficiency);
  count("shared requests", x.shared.requests, y.shared.requests);
  count("passes through shared memory", x.shared.wavefronts, y.shared.wavefronts);
  count("extra passes (bank conflicts)", x.shared.extra_wavefronts(), y.shared.extra_wavefronts());
  count("worst bank conflict (ways)", x.shared.ways, y.shared.ways);
  share("lane use", all_x, all_y, &Requests::lane_use);
  count("races", a.trace.races.size(), b.trace.races.size());
  table.print();
  print_predictions({&a, &b});
}

Json json_of(const Traced& traced) {
  const auto side = [](const simt::Race::Side& s) {
    return Json{{"file", s.line.file}, {"line", s.line.line}, {"block", s.block}, {"thread", s.thread}};
  };
  const Json steps = traced.cost ? Json(traced.cost->steps) : Json(nullptr);  // of the whole call
  const Json work = traced.cost ? Json(traced.cost->work) : Json(nullptr);
  Json launches = Json::array();
  for (const LaunchTraffic& l : traced.trace.launches) {
    Json launch = {{"implementation", traced.implementation->name},
                   {"input", traced.title},
                   {"kernel", l.kernel},
                   {"grid", {l.grid.x, l.grid.y, l.grid.z}},
                   {"block", {l.block.x, l.block.y, l.block.z}}};
    launch.update(figures(l.global, l.shared));
    launch["barriers"] = static_cast<double>(l.barriers) / static_cast<double>(l.grid.count());  // per block
    launch["steps"] = steps;
    launch["work"] = work;
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
      if (const std::string text = advice(whole_line(l, line), l); !text.empty()) site["advice"] = text;
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
                        {"work", work}});
  }
  return launches;
}

}  // namespace tandem::command
