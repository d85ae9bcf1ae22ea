// The prefix-sum lab's chart: integers scanned by one core, by all, and by the GPU with the copies there and
// back; from which size on is the GPU faster?

#include <algorithm>
#include <cmath>

#include "bench/reproduce/reproduce.h"
#include "lib/core/host_memory.h"
#include "tandem/error.h"
#include "tandem/scan.h"

namespace tandem::command {
namespace {

constexpr std::int64_t kFirstBytes = 4 << 20, kLastBytes = std::int64_t{2} << 30, kQuickBytes = 32 << 20;
constexpr double kPublishedCrossover = 8, kPublishedSpeedUp = 1.3;  // MB; of the work-efficient kernel

struct Way {
  const char* column;
  bool on_device;
  const char* use;
};
constexpr Way kWays[] = {{"CPU, serial", false, "scan/custom/serial"},
                         {"CPU, threads", false, "scan/custom/threads"},
                         {"GPU, work-efficient", true, "scan/custom/blelloch"},
                         {"GPU, fastest", true, ""}};
constexpr std::size_t kSerial = 0, kWorkEfficient = 2;

/// Milliseconds of whole calls, from integers in host memory to their sums there. Adds to result.wrong.
std::vector<Cell> times(Experiment& experiment, std::int64_t n, Reproduction& result) {
  require_host_memory("the integers and their sums", 3.0 * static_cast<double>(n) * sizeof(std::int32_t));
  const auto size = static_cast<std::size_t>(n);
  std::vector<std::int32_t> x(size), right(size), y(size);
  for (std::size_t i = 0; i < size; ++i) x[i] = static_cast<std::int32_t>((i + experiment.seed) % 7);
  inclusive_scan(experiment.contexts.host, x, right, {.use = kWays[kSerial].use});

  Context* const device = experiment.contexts.device.get();
  std::optional<Array<std::int32_t>> there, sums;
  if (device) there.emplace(*device, n), sums.emplace(*device, n);
  Measurement measurement;
  std::vector<std::optional<std::size_t>> rows;
  for (const Way& way : kWays) {
    std::optional<std::size_t>& row = rows.emplace_back();
    if (way.on_device && !device) continue;
    const auto call = [&, way] {
      if (!way.on_device) return inclusive_scan(experiment.contexts.host, x, y, {.use = way.use});
      there->upload(x);
      inclusive_scan(*device, *there, *sums, {.use = way.use});
      device->copy(y.data(), sums->data(), sums->bytes());
      device->synchronize();
    };
    experiment.progress.show(fmt::format("{} MB: {}", n >> 18, way.column));
    std::fill(y.begin(), y.end(), -1);
    call();
    if (y != right) {
      result.wrong.push_back(
          fmt::format("{}, {} MB: other sums than the serial step's", way.column, n >> 18));
      continue;
    }
    row = measurement.add(sampler(experiment.contexts.host, call, Method::hot, 0.02).sample);
  }
  const std::vector<Timing> timings = experiment.run(measurement);
  std::vector<Cell> cells;
  for (std::size_t w = 0; w < rows.size(); ++w) {
    cells.push_back({{}, {}, 0, kWays[w].use});
    if (rows[w]) cells[w].here = timings[*rows[w]].seconds * 1e3, cells[w].spread = timings[*rows[w]].spread;
  }
  return cells;
}

Reproduction scan_crossover(Experiment& experiment) {
  Reproduction result;
  result.method =
      "whole calls by the host's clock: integers and sums in host memory, on the GPU copied there and back, "
      "its "
      "memory taken before";
  Section section{"prefix sums of", {}, {}};
  for (const Way& way : kWays) section.columns.push_back({way.column, "ms"});
  section.columns.push_back({"serial ÷ work-efficient GPU", "×"});
  double crossover = 2.0 * static_cast<double>(kLastBytes >> 20), fastest = 0,
         slowest_later = std::numeric_limits<double>::infinity();
  bool slower = true;  // up to here
  for (std::int64_t bytes = kFirstBytes; bytes <= kLastBytes; bytes *= 2) {
    Line line{fmt::format("{} MB", bytes >> 20), std::vector<Cell>(section.columns.size()), "", ""};
    if (bytes >> 20 == static_cast<std::int64_t>(kPublishedCrossover))
      line.published = "about here the GPU overtakes one core; at most 1.3× at any size";
    if (experiment.quick && bytes > kQuickBytes) {
      line.note = "left out by --quick";
    } else {
      try {
        std::vector<Cell> cells = times(experiment, bytes / 4, result);
        cells.push_back(quotient(cells[kSerial], cells[kWorkEfficient]));
        if (const auto ratio = cells.back().here) {
          if (!slower) slowest_later = std::min(slowest_later, *ratio);
          if (slower && *ratio > 1) crossover = static_cast<double>(bytes >> 20), slower = false;
          fastest = std::max(fastest, *ratio);
        } else {
          line.note = why_no_device();
        }
        line.cells = std::move(cells);
      } catch (const OutOfMemory& error) {
        line.note = error.what();
      }
    }
    section.lines.push_back(std::move(line));
  }
  Claim where{fmt::format("the GPU overtakes one core near {} MB", kPublishedCrossover), {}, {1}, 0.6, 2};
  Claim after{"beyond that size the GPU stays ahead", {}, {}};
  Claim how{"with a plain work-efficient kernel it is never more than 1.3 times as fast",
            {},
            {kPublishedSpeedUp},
            0,
            kPublishedSpeedUp};
  if (fastest > 0) where.here = {crossover / kPublishedCrossover}, how.here = {fastest};
  if (!std::isinf(slowest_later)) after.here = {slowest_later};
  result.claims = {std::move(where), std::move(after), std::move(how)};
  result.sections = {std::move(section)};
  return result;
}

const bool added = add_table(
    {"scan-crossover", "Prefix sums on CPU and GPU with transfers, 4 MB to 2 GB: where the GPU overtakes",
     "the prefix-sum lab, in words", scan_crossover});

}  // namespace
}  // namespace tandem::command
