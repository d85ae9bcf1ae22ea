#pragma once
// `tandem compare OP --tuning NAME`: steps with many constants (lib/harness/tuning.h), as a table and a heat
// map.

#include <cstdint>
#include <string>
#include <vector>

#include "bench/measure/measure.h"
#include "bench/report/heat_map.h"
#include "lib/harness/operation.h"
#include "lib/harness/tuning.h"

namespace tandem::command {

struct TuningOptions {
  std::string operation, tuning;
  std::vector<std::vector<std::int64_t>> shapes;  // the tuning's own where there are none
  Method method = Method::hot;
  int repetitions = 11;
  std::uint64_t seed = 1;
  std::string json, svg;  // files, where asked for
  std::string recorded;   // a file that --json wrote: it is drawn, and nothing is measured
};

/// Checks and times all points beside the libraries' rows, and prints a table for each shape. False when a
/// result is wrong. Without a GPU its points are checked on the executor, and of their speed only the model
/// is shown.
bool run_tuning(const TuningOptions& options);

/// The heat maps of a file that --json of these points wrote, of each shape one. Throws BadFile.
std::vector<HeatMap> recorded_maps(const std::string& file, const Operation& op,
                                   const std::vector<TuningPoint>& points);

}  // namespace tandem::command
