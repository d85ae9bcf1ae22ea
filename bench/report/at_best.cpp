#include "bench/report/at_best.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

namespace tandem::command {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kResults = TANDEM_SOURCE_DIR "/bench/results";

/// Null where the file is not there, as with an installed command.
Json read(const std::filesystem::path& file) {
  std::ifstream in(file);
  return in ? Json::parse(in) : Json();
}

/// The shortest call of one launch in a replayed CUDA graph, which hides what queueing it costs the host.
double launch_seconds() {
  double least = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kResults)) {
    if (!entry.path().filename().string().ends_with("-graph.json")) continue;
    const Json results = read(entry.path());
    for (const Json& row : results["rows"]) {
      if (row["time_ns"].is_null() || row["path"] != "custom") continue;
      const double seconds = row["time_ns"].get<double>() * 1e-9;
      least = least == 0 ? seconds : std::min(least, seconds);
    }
  }
  return least;
}

}  // namespace

std::optional<AtBest> at_best(const Operation& op, CaseId id, const Implementation& step,
                              const SectorCounts& counted) {
  const Json results = read(std::string(kResults) + "/h200-" + op.name + ".json");
  if (results.is_null() || counted.sectors_at_half <= 0) return {};
  const std::string on_device = step.name.substr(0, step.name.find('@'));
  const std::string variant = op.benchmarks(id, counted.n, 1).front().variant;
  const Json* last = nullptr;  // of this step, else of any
  for (const Json& row : results["rows"]) {
    if (row["type"] != name(id.type) || row["op"] != name(id.op) || row["variant"] != variant ||
        row["time_ns"].is_null())
      continue;
    const auto rank = [&](const Json& r) {
      return std::pair(r["implementation"] == on_device, r["n"].get<std::int64_t>());
    };
    if (!last || rank(row) > rank(*last)) last = &row;
  }
  if (!last) return {};
  const auto n = (*last)["n"].get<std::int64_t>();
  const Json& bounds = results["machine"]["bounds_gb_per_s"];
  AtBest best{results["machine"]["device"],
              n,
              1e9 * std::max(bounds["device_read"].get<double>(), bounds["device_copy"].get<double>()),
              launch_seconds(),
              0,
              {}};
  const double growth = std::max(1.0, std::round(std::log2(counted.sectors / counted.sectors_at_half)));
  const double sectors =
      counted.sectors * std::pow(static_cast<double>(n) / static_cast<double>(counted.n), growth);
  best.seconds = 32 * sectors / best.bytes_per_second + counted.launches * best.launch_seconds;
  if ((*last)["implementation"] == on_device) best.recorded = (*last)["time_ns"].get<double>() * 1e-9;
  return best;
}

}  // namespace tandem::command
