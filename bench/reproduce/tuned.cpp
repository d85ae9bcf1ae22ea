#include "bench/reproduce/tuned.h"

#include <algorithm>
#include <functional>

namespace tandem::command {

std::vector<const TuningPoint*> Tuned::points(const std::string& tuning) {
  std::vector<TuningPoint> all = tuning_points("gemm", tuning);
  const auto on_device = [](const TuningPoint& point) { return point.implementation.place == Place::device; };
  // A kernel on the executor shows no more than the same kernel on a GPU.
  if (std::any_of(all.begin(), all.end(), on_device)) std::erase_if(all, std::not_fn(on_device));
  std::vector<const TuningPoint*> added;
  for (TuningPoint& point : all) added.push_back(&points_.emplace_back(std::move(point)));
  return added;
}

void Tuned::run(std::int64_t n, const std::vector<const TuningPoint*>& points,
                const std::vector<std::string>& cpu_rows, Reproduction& result) {
  std::vector<const Implementation*> rows;
  for (const std::string& name : cpu_rows) rows.push_back(&implementation_named(name));
  if (experiment_.contexts.device) {
    for (const TuningPoint* point : points) rows.push_back(&point->implementation);
  }
  const Operation& op = operation("gemm");
  group_ = &timed(comparison_, op, op.benchmarks(op.cases[0], n, experiment_.seed).front(), rows, result);
}

std::string Tuned::why_no_time(const TuningPoint& point) const {
  return experiment_.contexts.device ? why_not(*group_, point.implementation) : why_no_device();
}

std::vector<Cell> Tuned::resources(const TuningPoint& point) {
  if (!experiment_.contexts.device || !point.resources) return std::vector<Cell>(kResources.size());
  const Resources r = point.resources(*experiment_.contexts.device);
  const auto cell = [](double number) { return Cell{number, {}, 0, ""}; };
  return {cell(r.registers), cell(static_cast<double>(r.spilled_bytes)), cell(100.0 * r.warps / kMostWarps)};
}

}  // namespace tandem::command
