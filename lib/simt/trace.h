#pragma once
// Runs work on the executor and says what its kernels did: traffic and races.

#include <cstdint>
#include <functional>
#include <vector>

#include "lib/simt/races.h"
#include "lib/simt/traffic.h"

namespace tandem::simt {

struct Trace {
  std::vector<LaunchTraffic> launches;
  std::vector<Race> races;
};

/// Traces every launch that `work` makes from this OS thread, block after block. Costs about 0.1 µs per load
/// or store; memory grows with what the kernels touch (80 bytes per word) and with their atomic operations,
/// not with loads and stores.
TANDEM_API Trace trace(const std::function<void()>& work);

/// All accesses of one source line in one space, and its stores among them.
struct LineTotals {
  Requests all, stores;
};
/// Of the line with the most store requests in that space: of a tree, the line that combines. Zeros where
/// nothing is stored.
TANDEM_API LineTotals busiest_line(const LaunchTraffic& launch, Space space);

/// Loads and stores of global memory, those of each thread by themselves; atomic operations are stores.
struct ThreadAccesses {
  std::int64_t reads = 0, writes = 0;
};
TANDEM_API ThreadAccesses thread_accesses(const LaunchTraffic& launch);

/// Looks for races alone, among the first `most_accesses` loads, stores and atomic operations: what follows
/// runs unwatched, ten times as fast.
TANDEM_API std::vector<Race> races(const std::function<void()>& work,
                                   std::uint64_t most_accesses = ~std::uint64_t{0});

}  // namespace tandem::simt
