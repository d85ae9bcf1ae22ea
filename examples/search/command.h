#pragma once
// What the subcommands share: exit status, clock, --place.

#include <tandem/tandem.h>

#include <chrono>
#include <string>

namespace search {

enum Exit { kSuccess = 0, kNothing = 1, kBadUsage = 2 };

/// Seconds since its construction.
class Clock {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// place: "host" or "device". Throws tandem::Unavailable without a GPU.
inline tandem::Context context_on(const std::string& place) {
  return place == "device" ? tandem::Context::device() : tandem::Context::host();
}

}  // namespace search
