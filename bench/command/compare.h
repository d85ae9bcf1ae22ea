#pragma once
// What `tandem compare` does once its options are read.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/measure/measure.h"

namespace tandem::command {

struct CompareOptions {
  std::string operation, in, json, baseline, step, place, tuning, svg, recorded, largest = "64M";
  std::vector<std::string> after, n, shapes, types, only, operators{"plus"}, methods{"hot"};
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> drawn;
  int repetitions = 11, offset = 0;
  bool all = false, csv = false;
};

/// --shape and --n, extent by extent.
std::vector<std::vector<std::int64_t>> asked_shapes(const CompareOptions& options);

/// --method. InvalidArgument for a name that none has.
std::vector<Method> methods_of(const CompareOptions& options);

/// Prints table after table as each is measured, and a summary. False where a result is wrong or a row slower
/// than its baseline.
bool compare(const CompareOptions& options);

}  // namespace tandem::command
