#pragma once
// How long launches take at least on a GPU, from what their trace counted. docs/trace.md says what each term means and
// where the constants come from.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lib/harness/operation.h"
#include "lib/simt/traffic.h"

namespace tandem::command {

/// A GPU, as far as a bound needs it.
struct Gpu {
  const char* name;                         // what --predict takes
  const char* device;                       // as results name it
  double multiprocessors, threads, blocks;  // the last two of a multiprocessor, at once
  double shared_bytes;                      // of a multiprocessor
  double clock;                             // Hz
  double l2_bytes, l2_rate, memory_rate;    // bytes, bytes/s
  double store_rate;                        // lines/s, of each request
  double launch, early_launch;              // s
  double l2_trip, memory_trip, near_trip;   // cycles
  double barrier, operation;                // cycles
  double match;                             // cycles of a multiprocessor, for each value that differs
};
/// InvalidArgument lists those known.
const Gpu& gpu(const std::string& name);
std::vector<std::string> gpu_names();

/// What a launch cannot be faster than. The launch itself comes first; what follows it may overlap.
enum class Limit { launch, memory, cache, passes, issue, waits, atomics, steps };
inline constexpr std::array kLimitNames{"launch", "memory", "cache",   "passes",
                                        "issue",  "waits",  "atomics", "steps"};

inline const char* name(Limit limit) { return kLimitNames[static_cast<std::size_t>(limit)]; }

/// A launch, or a call of several: no less than `seconds`.
struct Bound {
  double seconds = 0;
  Limit limit = Limit::launch;                     // what takes most of it
  std::array<double, kLimitNames.size()> terms{};  // seconds by Limit, of all launches together
  double beside = 0;                               // seconds of terms that pass beside the others for certain
  /// How long it would take were nothing else to overlap. Of two equal bounds the lower of these is more likely reached.
  double one_by_one() const;
};

struct Prediction {
  struct Call {
    std::int64_t n;
    Bound bound;
    std::optional<double> recorded;  // seconds that this step took there …
    double spread;                   // … of the median
    std::string method;              // … and how they were taken
  };
  const Gpu* gpu;
  std::vector<Bound> launches;  // as they were traced
  std::vector<Call> calls;      // for the traced n and those that are recorded, ascending
};

/// What was traced of a call.
struct TracedCall {
  std::vector<simt::LaunchTraffic> launches;
  std::int64_t steps;  // 0: not counted
};
/// `call` was traced with n elements, `trace(m, p)` traces it with m and p multiprocessors. Recorded sizes up to n are
/// traced, larger ones follow from how the counts grow from n / 2 to n: on the whole GPU, and on a part of it, which n
/// elements fill sooner.
Prediction predict(const Gpu& gpu, const Operation& op, CaseId id, const Implementation& step, std::int64_t n,
                   const TracedCall& call,
                   const std::function<TracedCall(std::int64_t, int multiprocessors)>& trace);

}  // namespace tandem::command
