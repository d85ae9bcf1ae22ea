#pragma once
// The clocks of a GPU while it was measured, as NVML tells them, the library of nvidia-smi. They are read, never
// set.

#include <algorithm>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tandem::command {

class Clocks {
 public:
  struct Reading {
    unsigned sm_mhz, memory_mhz;
    unsigned milliwatts;         // drawn
    unsigned long long reasons;  // why the clock is not higher: bits of NVML
  };

  /// Of the GPU at this address on the bus. Without it, or without NVML, nothing is ever read.
  explicit Clocks(const std::string& pci_address);
  ~Clocks();

  /// Reads once, and remembers. About 0.1 ms.
  std::optional<Reading> read();
  /// Of all that was read: the range of the SM's clock, the memory's, the power, what slowed it, and how many
  /// readings were below 97 % of the median; null where nothing was.
  nlohmann::ordered_json json() const;
  /// The same in a line; empty where nothing was.
  std::string text() const;

 private:
  struct Nvml;
  std::unique_ptr<Nvml> nvml_;
  std::vector<Reading> readings_;
};

/// The middle one of a few readings' SM clocks; 0 where there is none.
inline unsigned median_sm_mhz(const std::vector<Clocks::Reading>& readings) {
  std::vector<unsigned> clocks;
  for (const Clocks::Reading& r : readings) clocks.push_back(r.sm_mhz);
  if (clocks.empty()) return 0;
  const auto middle = clocks.begin() + static_cast<std::ptrdiff_t>(clocks.size() / 2);
  std::nth_element(clocks.begin(), middle, clocks.end());
  return *middle;
}

/// Whether a clock is one to count: at least 97 % of the median.
inline bool is_full_clock(unsigned sm_mhz, unsigned median) { return sm_mhz * 100 >= median * 97; }
/// The times behind which clocks were at least 97 % of the median of these; all of them unless one was read behind each.
inline std::vector<double> at_full_clock(const std::vector<double>& times,
                                         const std::vector<Clocks::Reading>& readings) {
  if (readings.size() != times.size()) return times;
  const unsigned median = median_sm_mhz(readings);
  std::vector<double> kept;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (is_full_clock(readings[i].sm_mhz, median)) kept.push_back(times[i]);
  }
  return kept;
}

}  // namespace tandem::command
