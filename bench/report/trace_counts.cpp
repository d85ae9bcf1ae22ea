#include "bench/report/trace_counts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>

#include "bench/terminal.h"

namespace tandem::command {
namespace {

using simt::Kind;
using simt::LaunchTraffic;
using simt::LineTraffic;
using simt::Requests;
using simt::Space;

std::string percent(double x) { return fmt::format("{:.0f}%", 100 * x); }

/// The same line's loads, stores and atomics in one space.
Requests whole_line(const LaunchTraffic& launch, const LineTraffic& line) {
  Requests sum;
  for (const LineTraffic& other : launch.lines) {
    if (other.line == line.line && other.space == line.space) sum.add(other.counts);
  }
  return sum;
}

}  // namespace

std::string LaunchGroup::str() const {
  const auto plural = [](std::uint64_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  constexpr std::size_t kNamed = 12;  // launches whose blocks are told one by one
  const std::uint64_t all = std::accumulate(blocks.begin(), blocks.end(), std::uint64_t{0});
  const double barriers = static_cast<double>(sum.barriers) / static_cast<double>(all);
  const auto [reads, writes] = thread_accesses(sum);
  return fmt::format("{}{} of {}, {:.3g} {} per block; {} and {} of global memory, thread by thread",
                     blocks.size() == 1 ? "" : fmt::format("{} launches of ", blocks.size()),
                     blocks.size() == 1       ? plural(all, "block")
                     : blocks.size() > kNamed ? fmt::format("{} in all", plural(all, "block"))
                                              : fmt::format("{} blocks", fmt::join(blocks, " + ")),
                     plural(sum.block.count(), "thread"), barriers, barriers == 1 ? "barrier" : "barriers",
                     plural(static_cast<std::uint64_t>(reads), "read"),
                     plural(static_cast<std::uint64_t>(writes), "write"));
}

std::vector<LaunchGroup> grouped(const std::vector<LaunchTraffic>& launches) {
  std::vector<LaunchGroup> all;
  for (const LaunchTraffic& l : launches) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const LaunchGroup& g) {
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
    add(sum.lines, l.lines);
  }
  return all;
}

void add(std::vector<LineTraffic>& lines, const std::vector<LineTraffic>& more) {
  for (const LineTraffic& line : more) {
    const auto known = std::find_if(lines.begin(), lines.end(), [&](const LineTraffic& m) {
      return m.line == line.line && m.space == line.space && m.kind == line.kind;
    });
    if (known == lines.end())
      lines.push_back(line);
    else
      known->counts.add(line.counts);
  }
}

std::string access_name(Space space, Kind kind) {
  return fmt::format("{} {}",
                     kind == Kind::load    ? "load"
                     : kind == Kind::store ? "store"
                                           : "atomic",
                     space == Space::shared ? "shared" : "global");
}

std::string advice(const LineTraffic& line, const LaunchTraffic& launch) {
  const Requests r = whole_line(launch, line);
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

std::string describe(const Complexity& cost) {
  const auto [work, steps, peak] = cost;
  return fmt::format("work {}, steps {}: {:.1f} applications side by side on average, {} at most", work,
                     steps, double(work) / double(std::max<std::int64_t>(1, steps)), peak);
}

DataTable comparison(const Traced& a, const Traced& b) {
  const auto total = [](const Traced& t) {
    struct {
      Requests global, shared;
      double blocks = 0, barriers = 0;
      std::int64_t reads = 0, writes = 0;  // of global memory, by threads
    } sum;
    for (const LaunchTraffic& l : t.trace.launches) {
      sum.global.add(l.global);
      sum.shared.add(l.shared);
      sum.blocks += static_cast<double>(l.grid.count());
      sum.barriers += static_cast<double>(l.barriers);
      const simt::ThreadAccesses accesses = thread_accesses(l);
      sum.reads += accesses.reads, sum.writes += accesses.writes;
    }
    return sum;
  };
  const auto x = total(a), y = total(b);
  Requests all_x = x.global, all_y = y.global;
  all_x.add(x.shared);
  all_y.add(y.shared);
  const auto last = [](const std::string& name) { return name.substr(name.rfind('/') + 1); };
  DataTable table{"", "", {a.title, last(a.name()), last(b.name()), "second ÷ first"}, {}};
  const auto count = [&](const char* figure, auto p, auto q) {
    const auto u = static_cast<double>(p), v = static_cast<double>(q);
    table.rows.push_back({figure, fmt::format("{:.10g}", u), fmt::format("{:.10g}", v),
                          u > 0 ? fmt::format("{:.3g}", v / u) : "-"});
  };
  const auto share = [&](const char* figure, const Requests& p, const Requests& q,
                         double (Requests::*of)() const) {
    const auto text = [&](const Requests& r) { return r.requests ? percent((r.*of)()) : "-"; };
    table.rows.push_back({figure, text(p), text(q), ""});
  };
  if (a.cost && b.cost) {
    count("work (operator applications)", a.cost->work, b.cost->work);
    count("steps (longest chain)", a.cost->steps, b.cost->steps);
    count("applications side by side, at most", a.cost->peak, b.cost->peak);
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
  return table;
}

DataTable bounds(const Prediction& prediction, const std::vector<simt::LaunchTraffic>& launches) {
  DataTable table{"", "", {prediction.gpu->device, "at least", "limiter"}, {}};
  table.head.insert(table.head.end(), kLimitNames.begin(),
                    kLimitNames.end() - 1);  // steps are of the whole call
  for (std::size_t l = 0; l < launches.size(); ++l) {
    const Bound& bound = prediction.launches[l];
    table.rows.push_back({launches[l].kernel, show_time(bound.seconds), name(bound.limit)});
    for (std::size_t t = 0; t + 1 < bound.terms.size(); ++t)
      table.rows.back().push_back(bound.terms[t] >= 0.01 * bound.seconds ? show_time(bound.terms[t]) : "");
  }
  return table;
}

DataTable predictions(std::initializer_list<const Traced*> steps) {
  const Gpu* gpu = nullptr;
  std::map<std::int64_t, std::vector<std::pair<const Traced*, const Prediction::Call*>>> sizes;
  for (const Traced* t : steps) {
    if (!t->prediction) continue;
    gpu = t->prediction->gpu;
    for (const Prediction::Call& call : t->prediction->calls) sizes[call.n].emplace_back(t, &call);
  }
  if (!gpu) return {};
  DataTable table{
      "", "", {gpu->device, "n", "at least", "limiter", "one by one", "recorded", "at least ÷ recorded"}, {}};
  for (const auto& [n, calls] : sizes) {
    for (const auto& [step, call] : calls)
      table.rows.push_back({step->name(), show_size(n), show_time(call->bound.seconds),
                            name(call->bound.limit), show_time(call->bound.one_by_one()),
                            call->recorded ? show_time(*call->recorded) : "not yet",
                            call->recorded ? percent(call->bound.seconds / *call->recorded) : ""});
  }
  table.note = "one by one: were nothing to overlap, which orders steps of equal bounds";
  return table;
}

std::vector<std::string> source_of(const std::string& file) {
  std::ifstream stream(std::string(TANDEM_SOURCE_DIR) + "/" + file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace tandem::command
