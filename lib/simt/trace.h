#pragma once
// Runs work on the executor and says what its kernels did: traffic and races.

#include <functional>
#include <vector>

#include "lib/harness/operation.h"
#include "lib/simt/races.h"
#include "lib/simt/traffic.h"

namespace tandem::simt {

struct Trace {
  std::vector<LaunchTraffic> launches;
  std::vector<Race> races;
};

/// Traces every launch that `work` makes from this OS thread, block after block. Costs about 0.1 µs per load or store;
/// memory grows with what the kernels touch (80 bytes per word) and with their atomic operations, not with loads
/// and stores.
TANDEM_API Trace trace(const std::function<void()>& work);

/// Looks for races alone.
TANDEM_API std::vector<Race> races(const std::function<void()>& work);

/// Which cases are checked for races too: sums, and operations without an operator, up to 5,000 elements. The other
/// operators take the same way through a kernel.
inline bool worth_watching(CaseId id, std::int64_t n) {
  return (id.op == OperatorId::plus || id.op == OperatorId::none) && n <= 5000;
}
/// As tandem::check for a row of the executor; wrong also where there is a race.
TANDEM_API Verdict check_with_races(const Implementation& implementation, int case_index, Problem& problem,
                                    Context& ctx, std::int64_t n);
}  // namespace tandem::simt
