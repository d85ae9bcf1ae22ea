#include "bench/report/trace_prediction.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "lib/core/names.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

using Json = nlohmann::ordered_json;

// The comments are the sources; docs/trace.md has them from here (tools/trace_tables.py).
constexpr Gpu kGpus[] = {{
    .name = "h200",
    .device = "NVIDIA H200",
    .multiprocessors = 132,     // the device's own word
    .threads = 2048,            // CUDA programming guide, compute capability 9.0
    .blocks = 32,               // the same
    .shared_bytes = 228 << 10,  // the same; a block takes 1 KB beside its own
    .clock = 1.98e9,            // Hz: the median of every recorded run
    .l2_bytes = 50 << 20,       // the device's own word
    .l2_rate = 10.5e12,         // bytes/s: gpu-benches, gpu-l2-cache, H200, 5 MB
    .memory_rate = 4.66e12,     // bytes/s: device_read of the recorded run in which it was fastest
    .store_rate = 67e9,         // lines/s: transpose/naive of the recorded run in which it was fastest
    .launch = 0.78e-6,          // s: the shortest recorded call of one launch in a graph, less a trip to L2
    .early_launch = 0.52e-6,    // s: the same of launches that start early
    .l2_trip = 280,             // cycles: gpu-benches, gpu-latency, GH200, 1 to 24 MB
    .memory_trip = 680,         // cycles: the same, 150 MB and more
    .near_trip = 20,            // cycles: less than the 32 of an L1 hit there
    .barrier = 30,   // cycles: half of what each barrier that reduce5_last_warp saves is worth in a graph
    .operation = 4,  // cycles: CUDA programming guide
    .match = 2,  // cycles: less than the 2.4 of histogram/matched in the recorded run in which it was fastest
}};

constexpr double kSector = 32;  // bytes

/// What was counted of a launch; of a grown one there are parts of blocks and cycles, too.
struct Counts {
  explicit Counts(const simt::LaunchTraffic& l)
      : kernel(l.kernel),
        early(l.early),
        threads(32 * std::ceil(static_cast<double>(l.block.count()) / 32)),
        shared_bytes(static_cast<double>(l.shared_bytes)),
        blocks(static_cast<double>(l.grid.count())),
        touched(static_cast<double>(l.loaded_sectors + l.stored_sectors)),
        through_l2(static_cast<double>(l.loaded_sectors)),
        stored_lines(0),
        passes(static_cast<double>(l.global.sure_passes + l.shared.sure_passes)),
        issued(static_cast<double>(l.issued)),
        matched(static_cast<double>(l.matched)),
        contended(static_cast<double>(l.contended)),
        waits(l.waits),
        longest(l.longest_waits) {
    constexpr std::int64_t kLongestOfThread = 16;  // bytes
    std::int64_t copied = 0;
    for (const simt::LineTraffic& line : l.lines) {
      if (line.space == simt::Space::global && line.kind == simt::Kind::load &&
          line.counts.bytes > kLongestOfThread * line.counts.lanes)
        copied += line.counts.sectors;
      if (line.space == simt::Space::global && line.kind != simt::Kind::load)
        through_l2 += static_cast<double>(line.counts.sectors);
      if (line.space == simt::Space::global && line.kind == simt::Kind::store)
        stored_lines += static_cast<double>(line.counts.lines);
    }
    bulk_copies = 2 * copied > l.loaded_sectors;
  }
  std::string kernel;
  bool early,
      bulk_copies = false,       // load most of what is loaded
      everywhere = false;        // the last: more work for no more blocks, of which there may then be more
  double threads, shared_bytes;  // of a block
  double blocks;
  double touched, through_l2;  // sectors: different ones; loaded ones once, stored ones each time
  double stored_lines;         // by each request
  double passes, issued, matched, contended;
  struct Waits {
    Waits(const simt::Waits& w)
        : far(static_cast<double>(w.far)),
          near(static_cast<double>(w.near)),
          barriers(static_cast<double>(w.barriers)) {}
    double far, near, barriers;
  } waits, longest;
};

constexpr std::array kTotals{&Counts::blocks, &Counts::touched, &Counts::through_l2, &Counts::stored_lines,
                             &Counts::passes, &Counts::issued,  &Counts::matched,    &Counts::contended};
constexpr std::array kWaits{&Counts::Waits::far, &Counts::Waits::near, &Counts::Waits::barriers};

/// Whether what a launch does grows faster than the elements that doubled from half of them.
bool grows_fast(const Counts& now, const Counts& half) { return now.issued > 2.1 * half.issued; }

/// The launch for `factor` times as many elements: what doubled from half of them doubles on, what grew fourfold grows
/// with the square, and what did neither grows as the power below, up to the third. Blocks wait no longer than before,
/// but there are more of them.
Counts grown(Counts counts, const Counts& half, double factor) {
  constexpr double kMost = 3;  // nothing grows faster than the operations of a product
  const auto growth = [&](double Counts::*count) {
    const double now = counts.*count, before = half.*count;
    return now > before && before > 0
               ? std::pow(factor, std::min(kMost, std::floor(std::log2(now / before) + 0.1)))
               : 1;
  };
  const double more_blocks = growth(&Counts::blocks);
  counts.everywhere = more_blocks == 1 && growth(&Counts::passes) > 1;
  const double more_lines = growth(&Counts::through_l2);  // they spread while the first tile fills
  for (const auto count : kTotals)
    counts.*count *= count == &Counts::stored_lines ? more_lines : growth(count);
  for (const auto wait : kWaits) counts.waits.*wait *= more_blocks;
  return counts;
}

/// The same launch where its blocks fill the GPU and then stay for more elements, as they do on a part of it with n: no
/// more of anything than `parts` times what the part counts for its share of the elements, which grows by as much for
/// each of them; but blocks wait as long as there.
void cap(Counts& counts, const Counts& part, const Counts& half, double factor, double parts) {
  if (part.blocks > half.blocks || grows_fast(part, half)) return;
  const auto line = [&](double now, double before) {
    return std::max(0.0, now + 2 * (factor - 1) * (now - before));
  };
  for (const auto count : kTotals)
    counts.*count = std::min(counts.*count, parts * line(part.*count, half.*count));
  for (const auto wait : kWaits) {
    counts.waits.*wait = std::min(counts.waits.*wait, parts * line(part.waits.*wait, half.waits.*wait));
    counts.longest.*wait = std::max(counts.longest.*wait, line(part.longest.*wait, half.longest.*wait));
  }
}

Bound bound(const Counts& c, const Gpu& gpu) {
  Bound b;
  const auto term = [&](Limit limit) -> double& { return b.terms[static_cast<std::size_t>(limit)]; };
  const double bytes = kSector * c.touched, from_memory = std::max(0.0, bytes - gpu.l2_bytes);
  const double busy = c.everywhere ? gpu.multiprocessors : std::min(c.blocks, gpu.multiprocessors);
  const double far = gpu.l2_trip + (gpu.memory_trip - gpu.l2_trip) * from_memory / std::max(1.0, bytes);
  const auto cycles = [&](const Counts::Waits& w) {
    return w.far * far + w.near * gpu.near_trip + w.barriers * gpu.barrier;
  };
  const double at_once = std::min({gpu.blocks, std::floor(gpu.threads / c.threads),
                                   std::floor(gpu.shared_bytes / (c.shared_bytes + 1024))});
  term(Limit::launch) = c.early ? gpu.early_launch : gpu.launch;
  term(Limit::memory) = from_memory / gpu.memory_rate;
  term(Limit::cache) = std::max(kSector * c.through_l2 / gpu.l2_rate, c.stored_lines / gpu.store_rate);
  term(Limit::passes) = c.passes / busy / gpu.clock;
  term(Limit::issue) = (c.issued / 4 + c.matched * gpu.match) / busy / gpu.clock;
  term(Limit::waits) =
      std::max(cycles(c.longest), cycles(c.waits) / (gpu.multiprocessors * at_once)) / gpu.clock;
  term(Limit::atomics) = c.contended / gpu.clock;
  // Where blocks stay, the copy engine moves their next tiles while warps work. What L2 holds is a round or two, in which
  // nothing runs ahead.
  if (c.bulk_copies && c.blocks <= gpu.multiprocessors && from_memory > 0) {
    const double moving = term(Limit::memory) + term(Limit::cache);
    b.beside = std::min(moving, std::accumulate(b.terms.begin() + 1, b.terms.end(), -moving));
  }
  const auto longest = std::max_element(b.terms.begin() + 1, b.terms.end());
  b.seconds = term(Limit::launch) + *longest;
  b.limit = *longest > term(Limit::launch) ? Limit(longest - b.terms.begin()) : Limit::launch;
  return b;
}

/// Launches one after another, and the longest chain of applications.
Bound bound(const std::vector<Counts>& launches, std::int64_t steps, const Gpu& gpu) {
  Bound call;
  std::array<double, kLimitNames.size()> shares{};
  for (const Counts& launch : launches) {
    const Bound b = bound(launch, gpu);
    const double overhead = b.terms[0];
    call.seconds += b.seconds;
    call.beside += b.beside;
    for (std::size_t t = 0; t < b.terms.size(); ++t) call.terms[t] += b.terms[t];
    shares[0] += overhead;
    shares[static_cast<std::size_t>(std::max_element(b.terms.begin() + 1, b.terms.end()) -
                                    b.terms.begin())] += b.seconds - overhead;
  }
  call.limit = Limit(std::max_element(shares.begin(), shares.end()) - shares.begin());
  if (launches.empty()) return call;
  const double chain = static_cast<double>(steps) * gpu.operation / gpu.clock;
  call.terms[static_cast<std::size_t>(Limit::steps)] = chain;
  const double first = launches[0].early ? gpu.early_launch : gpu.launch;
  if (first + chain > call.seconds) {
    call.seconds = first + chain;
    call.limit = chain > first ? Limit::steps : Limit::launch;
  }
  return call;
}

std::vector<Counts> counts_of(const TracedCall& call) { return {call.launches.begin(), call.launches.end()}; }

/// What a step took on a GPU, by n.
struct Recorded {
  double seconds = 0;  // 0: other steps were measured there
  double spread = 0;
  std::string method;
};
/// The recorded times of this case with warm caches, from graphs where they were taken: those hide what queueing a call
/// costs the host. Empty where the tree is not at hand, as with an installed command.
std::map<std::int64_t, Recorded> recorded(const Gpu& gpu, const Operation& op, CaseId id,
                                          const Implementation& step) {
  std::map<std::int64_t, Recorded> all;
  const std::string on_device = step.name.substr(0, step.name.find('@'));
  const std::string folder = TANDEM_SOURCE_DIR "/bench/results";
  if (!std::filesystem::exists(folder)) return all;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with(std::string(gpu.name) + "-" + op.name)) continue;
    std::ifstream file(entry.path());
    const Json results = Json::parse(file);
    const auto method = results["machine"]["method"].get<std::string>();
    if (method != "graph" && method != "hot") continue;
    for (const Json& row : results["rows"]) {
      if (row["type"] != name(id.type) || row["op"] != name(id.op) || row["time_ns"].is_null()) continue;
      const auto n = row["n"].get<std::int64_t>();
      // Asked first, for to make a trial may take long.
      if (!op.extents.empty() && row["shape"] != fmt::format("{}", fmt::join(op.extents_of(n), "x")))
        continue;
      const Trial trial = op.benchmarks(id, n, 1).front();
      if (row["variant"] != trial.variant || row["shape"] != trial.extents) continue;
      Recorded& size = all[n];
      if (row["implementation"] == on_device && (size.seconds == 0 || method == "graph"))
        size = {row["time_ns"].get<double>() * 1e-9, row["spread"].get<double>(), method};
    }
  }
  return all;
}

/// Whether a shape grows from n to size as it does from half of n to n: what is counted grows on only then. A batch that
/// shrinks where its rows become long does not.
bool grows_on(const Operation& op, std::int64_t n, std::int64_t size) {
  if (op.extents.empty()) return true;
  const auto half = op.extents_of(n / 2), here = op.extents_of(n), there = op.extents_of(size);
  for (std::size_t e = 0; e < here.size(); ++e) {
    const double power = std::round(std::log2(static_cast<double>(here[e]) / static_cast<double>(half[e])));
    const double wanted =
        static_cast<double>(here[e]) * std::pow(static_cast<double>(size) / static_cast<double>(n), power);
    if (std::abs(static_cast<double>(there[e]) / wanted - 1) > 0.01) return false;
  }
  return true;
}

}  // namespace

double Bound::one_by_one() const { return std::accumulate(terms.begin(), terms.end(), -beside); }

std::vector<std::string> gpu_names() {
  std::vector<std::string> names;
  for (const Gpu& g : kGpus) names.emplace_back(g.name);
  return names;
}

const Gpu& gpu(const std::string& name) {
  for (const Gpu& g : kGpus) {
    if (g.name == name) return g;
  }
  throw InvalidArgument(unknown_name("GPU", name, gpu_names()));
}

Prediction predict(const Gpu& gpu, const Operation& op, CaseId id, const Implementation& step, std::int64_t n,
                   const TracedCall& call,
                   const std::function<TracedCall(std::int64_t, int multiprocessors)>& trace) {
  constexpr int kPart = 2;  // multiprocessors
  const int all = static_cast<int>(gpu.multiprocessors);
  const std::vector<Counts> here = counts_of(call);
  Prediction prediction{&gpu, {}, {}};
  for (const Counts& launch : here) prediction.launches.push_back(bound(launch, gpu));
  auto sizes = recorded(gpu, op, id, step);
  sizes[n];  // recorded or not
  std::vector<Counts> half, part, half_of_part;
  if (sizes.rbegin()->first > n && n > 1) {
    half = counts_of(trace(n / 2, all));
    if (!std::ranges::equal(here, half, grows_fast)) {
      part = counts_of(trace(n, kPart));
      half_of_part = counts_of(trace(n / 2, kPart));
    }
  }
  const auto grown_to = [&](std::int64_t size) {
    const double factor = static_cast<double>(size) / static_cast<double>(n), parts = all / kPart;
    std::vector<Counts> launches = here;
    for (std::size_t l = 0; l < launches.size(); ++l) {
      const auto same = [&](const std::vector<Counts>& others) {
        return l < others.size() && others[l].kernel == here[l].kernel;
      };
      if (!same(half)) continue;
      launches[l] = grown(here[l], half[l], factor);
      if (same(part) && same(half_of_part)) cap(launches[l], part[l], half_of_part[l], factor / parts, parts);
    }
    return launches;
  };
  for (const auto& [size, time] : sizes) {
    if (size > n && n > 1 && !grows_on(op, n, size)) continue;
    const Trial trial = op.benchmarks(id, size, 1).front();
    if (!step.refusal(op.shape(trial), id).empty()) continue;
    Bound least;
    if (size < n) {
      const TracedCall smaller = trace(size, all);
      least = bound(counts_of(smaller), smaller.steps, gpu);
    } else {
      least = bound(size > n ? grown_to(size) : here, call.steps, gpu);
    }
    prediction.calls.push_back({size, least, {}, time.spread, time.method});
    if (time.seconds > 0) prediction.calls.back().recorded = time.seconds;
  }
  return prediction;
}

}  // namespace tandem::command
