// Where the time of a whole call on the GPU goes: memory, copies, kernels; of the prefix-sum lab's scan and of
// the inverted-index lab's queries, all in one call or each in a call of its own, as the lab made them.

#include <algorithm>
#include <array>
#include <functional>
#include <span>

#include "bench/reproduce/lab.h"
#include "lib/ops/intersect/index_memory.h"
#include "tandem/error.h"
#include "tandem/scan.h"

namespace tandem::command {
namespace {

enum Phase { kTake, kThere, kCompute, kBack, kGive, kPhases };
constexpr const char* kPhaseNames[] = {"take memory", "copy there", "compute", "copy back",
                                       "give memory back"};
using Seconds = std::array<double, kPhases>;

/// Runs the phases of calls and keeps the seconds of each, by the host's clock, once the device is done.
class Stopwatch {
 public:
  Stopwatch(Context& host, Context& device) : host_(host), device_(device) {}
  void operator()(Phase phase, const std::function<void()>& work) {
    seconds[phase] += backend(host_).seconds([&] {
      work();
      device_.synchronize();
    });
  }
  Seconds seconds{};

 private:
  Context &host_, &device_;
};

/// The median of each phase over the repetitions; the first call, which loads code, is not counted.
Seconds median(Experiment& experiment, Context& device, const std::function<void(Stopwatch&)>& calls) {
  std::array<std::vector<double>, kPhases> samples;
  for (int r = -1; r < experiment.repetitions; ++r) {
    Stopwatch stopwatch(experiment.contexts.host, device);
    calls(stopwatch);
    for (std::size_t p = 0; p < kPhases && r >= 0; ++p) samples[p].push_back(stopwatch.seconds[p]);
  }
  Seconds middle;
  for (std::size_t p = 0; p < kPhases; ++p) {
    const auto at = samples[p].begin() + static_cast<std::ptrdiff_t>(samples[p].size() / 2);
    std::nth_element(samples[p].begin(), at, samples[p].end());
    middle[p] = *at;
  }
  return middle;
}

Seconds scan(Experiment& experiment, Context& device, std::int64_t n) {
  const std::vector<std::int32_t> x(static_cast<std::size_t>(n), 1);
  std::vector<std::int32_t> y(x.size());
  return median(experiment, device, [&](Stopwatch& stopwatch) {
    std::optional<Array<std::int32_t>> there, sums;
    stopwatch(kTake, [&] { there.emplace(device, n), sums.emplace(device, n); });
    stopwatch(kThere, [&] { there->upload(x); });
    stopwatch(kCompute, [&] { inclusive_scan(device, *there, *sums, {.use = "scan/custom/blelloch"}); });
    stopwatch(kBack, [&] { device.copy(y.data(), sums->data(), sums->bytes()); });
    stopwatch(kGive, [&] { there.reset(), sums.reset(); });
  });
}

/// One call for some queries on an index that the device has not seen.
void ask(Context& device, Stopwatch& stopwatch, std::optional<Index> index, const Queries& queries) {
  std::optional<QueryBatch> batch;
  std::optional<Array<std::uint64_t>> offsets;
  std::optional<Array<std::uint32_t>> ids;
  stopwatch(kThere, [&] {
    batch.emplace(device, *index, queries);
    memory(*index, device);  // which the first call would bring there otherwise
  });
  stopwatch(kTake,
            [&] { offsets.emplace(device, batch->queries() + 1), ids.emplace(device, batch->most()); });
  stopwatch(kCompute,
            [&] { intersect_into(device, *batch, *offsets, *ids, {kCoarse.columns[1].implementation}); });
  stopwatch(kBack, [&] { offsets->to_vector(), ids->to_vector(); });
  stopwatch(kGive, [&] { batch.reset(), offsets.reset(), ids.reset(), index.reset(); });
}

Reproduction where_time_goes(Experiment& experiment) {
  Reproduction result;
  result.method =
      "phases of whole calls by the host's clock, the GPU waited for after each; data in pageable host "
      "memory; lists are copied with the memory for them taken";
  Context* const device = experiment.contexts.device.get();
  const std::int64_t n = device && experiment.quick ? 1 << 20 : 1 << 26;
  struct Call {
    std::string row;
    std::optional<Seconds> seconds = {};
    std::string why_not = {};
  };
  Call copied{fmt::format("scan of {} MB", n >> 18)}, managed{copied.row + ", managed memory"},
      together{"intersection, all queries in a call"}, alone{"intersection, a call for each query"};
  if (device) {
    Lab lab(experiment.quick ? Collection::small(experiment.seed) : Collection::lab(experiment.seed),
            experiment);
    result.data["collection"] = lab.figures();
    experiment.progress.show("timing the phases of scans");
    copied.seconds = scan(experiment, *device, n);
    try {
      Context unified = Context::managed();
      managed.seconds = scan(experiment, unified, n);
    } catch (const Unavailable& error) {
      managed.why_not = error.what();
    }
    experiment.progress.show("timing the phases of intersections");
    together.seconds = median(experiment, *device, [&](Stopwatch& stopwatch) {
      const std::span ids(lab.index.data(), static_cast<std::size_t>(lab.index.ids()));
      ask(*device, stopwatch, Index(lab.index.starts(), ids), lab.queries);
    });
    alone.seconds = median(experiment, *device, [&](Stopwatch& stopwatch) {
      for (std::int64_t q = 0; q < lab.queries.size(); ++q) {
        auto [index, query] = lab.alone(q);
        ask(*device, stopwatch, std::move(index), query);
      }
    });
  }

  Section times{"time", {}, {}}, shares{"share", {}, {}};
  for (const char* phase : kPhaseNames)
    times.columns.push_back({phase, "ms"}), shares.columns.push_back({phase, "%"});
  times.columns.push_back({"whole call", "ms"});
  for (const Call* call : {&copied, &managed, &together, &alone}) {
    Line time{call->row, std::vector<Cell>(times.columns.size()), "",
              device ? call->why_not : why_no_device()};
    Line share{call->row, std::vector<Cell>(kPhases), "", time.note};
    if (call == &alone) share.published = "memory and copies for each query named as the main cost";
    if (call->seconds) {
      double all = 0;
      for (const double seconds : *call->seconds) all += seconds;
      for (std::size_t p = 0; p < kPhases; ++p) {
        time.cells[p].here = (*call->seconds)[p] * 1e3;
        share.cells[p].here = (*call->seconds)[p] / all * 100;
      }
      time.cells[kPhases].here = all * 1e3;
    }
    times.lines.push_back(std::move(time)), shares.lines.push_back(std::move(share));
  }
  const auto overhead = [](const Call& call) {
    if (!call.seconds) return std::vector<double>{};
    const Seconds& s = *call.seconds;
    return std::vector<double>{(s[kTake] + s[kThere] + s[kBack] + s[kGive]) / s[kCompute]};
  };
  result.claims = {{"of a call for each query, memory and copies take more than kernels", overhead(alone)},
                   {"of a scan, memory and copies take more than kernels", overhead(copied)}};
  result.sections = {std::move(times), std::move(shares)};
  return result;
}

const bool added = add_table({"where-time-goes",
                              "Share of memory, copies and kernels in whole calls: a scan, and intersections",
                              "the prefix-sum lab and the inverted-index lab, in words", where_time_goes});

}  // namespace
}  // namespace tandem::command
