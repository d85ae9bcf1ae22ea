#pragma once
// The clocks of a GPU while it was measured, as NVML tells them, the library of nvidia-smi. They are read, never
// set.

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

/// The middle one of a few readings' SM clocks.
unsigned median_sm_mhz(const std::vector<Clocks::Reading>& readings);

}  // namespace tandem::command
