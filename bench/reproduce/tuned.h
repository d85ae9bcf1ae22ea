#pragma once
// Shared by the tables of the matrix-multiplication lab: tunings of gemm on a GPU, and what their kernels take.

#include <deque>

#include "bench/reproduce/reproduce.h"
#include "lib/harness/tuning.h"

namespace tandem::command {

/// Points of tunings of gemm and CPU rows, multiplied with square matrices of one size.
class Tuned {
 public:
  /// The points of this build, those of the executor where there is no device code (they get no times).
  explicit Tuned(Experiment& experiment)
      : experiment_(experiment), comparison_(experiment.repetitions, experiment.seed) {}

  /// The points of a tuning, in their order; they live as long as this does.
  std::vector<const TuningPoint*> points(const std::string& tuning);
  /// Checks and times points, and the CPU rows of these names.
  void run(std::int64_t n, const std::vector<const TuningPoint*>& points,
           const std::vector<std::string>& cpu_rows, Reproduction& result);
  /// Of the last run.
  Cell time(const TuningPoint& point) const { return milliseconds(*group_, point.implementation); }
  Cell time(const std::string& cpu_row) const { return milliseconds(*group_, implementation_named(cpu_row)); }
  /// Why a point has no time; empty where it has.
  std::string why_no_time(const TuningPoint& point) const;
  /// Registers, bytes spilled, occupancy in %: for kResources.
  std::vector<Cell> resources(const TuningPoint& point);

 private:
  Experiment& experiment_;
  Comparison comparison_;
  std::deque<TuningPoint> points_;
  const Group* group_ = nullptr;
};

inline const std::vector<Column> kResources{{"registers", ""}, {"spilled", "B"}, {"occupancy", "%"}};

}  // namespace tandem::command
