#include "bench/measure/clocks.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tandem::command {

// NVML without its header: a machine that builds for a GPU may have neither header nor driver.
struct Clocks::Nvml {
  using Device = void*;
  enum { kSm = 1, kMemory = 2 };
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  Device device = nullptr;
  int (*clock)(Device, int, unsigned*) = nullptr;
  int (*power)(Device, unsigned*) = nullptr;
  int (*reasons)(Device, unsigned long long*) = nullptr;

  template <class Function>
  bool find(Function& function, const char* name) {
    function = library ? reinterpret_cast<Function>(dlsym(library, name)) : nullptr;
    return function;
  }
  /// Whether the clocks of the GPU at this address can be read.
  bool open(const std::string& pci_address) {
    int (*initialise)() = nullptr;
    int (*by_address)(const char*, Device*) = nullptr;
    return !pci_address.empty() && find(initialise, "nvmlInit_v2") && initialise() == 0 &&
           find(by_address, "nvmlDeviceGetHandleByPciBusId_v2") &&
           by_address(pci_address.c_str(), &device) == 0 && find(clock, "nvmlDeviceGetClockInfo") &&
           find(power, "nvmlDeviceGetPowerUsage") &&
           find(reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
  }
  // The library stays loaded, as that of CUDA does.
};

Clocks::Clocks(const std::string& pci_address) : nvml_(std::make_unique<Nvml>()) {
  if (!nvml_->open(pci_address)) nvml_.reset();
}
Clocks::~Clocks() = default;

std::optional<Clocks::Reading> Clocks::read() {
  Reading now{};
  if (!nvml_ || nvml_->clock(nvml_->device, Nvml::kSm, &now.sm_mhz) != 0 ||
      nvml_->clock(nvml_->device, Nvml::kMemory, &now.memory_mhz) != 0)
    return {};
  // Not every GPU tells these.
  if (nvml_->power(nvml_->device, &now.milliwatts) != 0) now.milliwatts = 0;
  if (nvml_->reasons(nvml_->device, &now.reasons) != 0) now.reasons = 0;
  readings_.push_back(now);
  return now;
}

nlohmann::ordered_json Clocks::json() const {
  if (readings_.empty()) return nullptr;
  struct Reason {
    unsigned long long bit;
    const char* name;
  };
  constexpr Reason kReasons[] = {{0x4, "power cap"},
                                 {0x8, "hardware slowdown"},
                                 {0x20, "temperature"},
                                 {0x40, "temperature, hardware"},
                                 {0x80, "power brake"}};
  const unsigned median = median_sm_mhz(readings_);
  auto least = readings_[0], most = readings_[0];
  unsigned long long reasons = 0;
  std::size_t slow = 0;
  for (const Reading& r : readings_) {
    least.sm_mhz = std::min(least.sm_mhz, r.sm_mhz);
    least.memory_mhz = std::min(least.memory_mhz, r.memory_mhz);
    most.sm_mhz = std::max(most.sm_mhz, r.sm_mhz);
    most.milliwatts = std::max(most.milliwatts, r.milliwatts);
    reasons |= r.reasons;
    slow += !is_full_clock(r.sm_mhz, median);
  }
  nlohmann::ordered_json slowed_by = nlohmann::ordered_json::array();
  for (const auto& [bit, name] : kReasons) {
    if (reasons & bit) slowed_by.push_back(name);
  }
  return {{"sm_mhz", {{"median", median}, {"least", least.sm_mhz}, {"most", most.sm_mhz}}},
          {"memory_mhz", least.memory_mhz},
          {"most_watts", most.milliwatts / 1000},
          {"slowed_by", slowed_by},
          {"samples", readings_.size()},
          {"samples_below_97_percent", slow}};
}

std::string Clocks::text() const {
  const nlohmann::ordered_json all = json();
  if (all.is_null()) return {};
  std::string slowed_by;
  for (const auto& name : all["slowed_by"])
    slowed_by += (slowed_by.empty() ? "" : ", ") + name.get<std::string>();
  return fmt::format("clocks: SM {} MHz ({} to {}), memory {} MHz, up to {} W{}; {} of {} samples below 97 %",
                     all["sm_mhz"]["median"].get<unsigned>(), all["sm_mhz"]["least"].get<unsigned>(),
                     all["sm_mhz"]["most"].get<unsigned>(), all["memory_mhz"].get<unsigned>(),
                     all["most_watts"].get<unsigned>(), slowed_by.empty() ? "" : ", slowed by " + slowed_by,
                     all["samples_below_97_percent"].get<std::size_t>(), all["samples"].get<std::size_t>());
}

}  // namespace tandem::command
