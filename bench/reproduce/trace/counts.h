#pragma once
// Shared by the tables that need no clock: what kernels do on the executor, and what algorithms cost.

#include <vector>

#include "bench/reproduce/reproduce.h"
#include "lib/harness/tuning.h"
#include "lib/simt/trace.h"

namespace tandem::command {

/// The launches of an implementation's row on the executor on `n` elements, blocks of `block` threads (0: its
/// own). Adds a line to result.wrong where its result is wrong.
std::vector<simt::LaunchTraffic> traced(const std::string& name, std::int64_t n, int block,
                                        Reproduction& result);
/// The same of a point of a tuning.
std::vector<simt::LaunchTraffic> traced(const TuningPoint& point, std::int64_t n, int block,
                                        Reproduction& result);

/// Applications of the operator, and the longest chain of them, of a step that counts them; blocks as above. Also
/// for n that the step refuses as too long for a call.
Complexity counted(const std::string& name, std::int64_t n, int block);

/// A number that was counted, and the source's.
Cell count(double here, std::optional<double> published = {});

}  // namespace tandem::command
