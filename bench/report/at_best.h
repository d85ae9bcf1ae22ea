#pragma once
// How fast a traced step is at best on the GPU whose measurements lie in bench/results/: the sectors that its trace
// counts at the recorded bandwidth, and its launches.

#include <cstdint>
#include <optional>
#include <string>

#include "lib/harness/operation.h"

namespace tandem::command {

struct AtBest {
  std::string device;                       // "NVIDIA H200"
  std::int64_t n;                           // the largest that is recorded
  double bytes_per_second, launch_seconds;  // recorded there
  double seconds;                           // were every sector brought from memory
  std::optional<double> recorded;           // what this step took there
};

/// What a trace counted, and how many of the sectors at half of n: so they grow.
struct SectorCounts {
  std::int64_t n;
  double sectors, sectors_at_half, launches;
};

/// None where nothing is recorded of such a call, and for operations on matrices and lists, whose kernels live by what
/// caches hold.
std::optional<AtBest> at_best(const Operation& op, CaseId id, const Implementation& step,
                              const SectorCounts& counted);

}  // namespace tandem::command
