#pragma once
// Of each ladder the two neighbours whose warps say most about why a step is faster.

#include <optional>
#include <string>
#include <vector>

#include "bench/report/report.h"

namespace tandem::command {

struct WarpPair {
  std::string title;  // "transpose: padded_tile, 1.7× as fast as shared_tile"
  const Picture *before, *after;
};

/// The strips of an operation's steps.
struct WarpsOf {
  std::string operation;
  std::optional<WarpPair> pair;
  std::vector<const Picture*> others;
};

/// By operation, in the order of the ladders. A pair is two neighbours of which the second is faster where a time tells, and of
/// these the one whose requests waste most less: bytes that are moved and not used, passes for bank conflicts, lanes that wait.
std::vector<WarpsOf> warps_by_operation(const Report& report);

}  // namespace tandem::command
