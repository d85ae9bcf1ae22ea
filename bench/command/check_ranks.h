#pragma once
// What `tandem check` does with kernels over ranks, in one process; only in builds with the executor.

#include <cstdint>
#include <string>

#include "lib/harness/operation.h"

namespace tandem::command {

struct RankKernelsOptions {
  std::string pattern;  // a name, or part of one
  Coverage coverage = Coverage::quick;
  std::uint64_t seed = 1;
  bool first = false, json = false, csv = false;
};

/// Every implementation of this name by 1 to 5 ranks on the executor; prints a table. False where one is wrong, or none was run.
bool check_rank_kernels(const RankKernelsOptions& options);

}  // namespace tandem::command
