#include "lib/harness/tuning.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "tandem/error.h"

namespace tandem {
namespace {
std::vector<TuningPoint>& store() {
  static std::vector<TuningPoint> instance;
  return instance;
}
}  // namespace

std::vector<std::pair<std::string, std::string>> tunings() {
  std::set<std::pair<std::string, std::string>> all;
  for (const TuningPoint& point : store()) all.emplace(point.implementation.operation, point.tuning);
  return {all.begin(), all.end()};
}

std::vector<TuningPoint> tuning_points(std::string_view operation, std::string_view tuning) {
  std::vector<TuningPoint> points;
  std::set<std::string> known;
  for (const TuningPoint& point : store()) {
    if (point.implementation.operation != operation) continue;
    known.insert(point.tuning);
    if (point.tuning == tuning) points.push_back(point);
  }
  if (points.empty()) {
    std::string names;
    for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
    throw InvalidArgument("--tuning is '" + std::string(tuning) + "'; tunings of " + std::string(operation) +
                          (known.empty() ? ": none in this build" : ": " + names));
  }
  std::sort(points.begin(), points.end(), [](const TuningPoint& a, const TuningPoint& b) {
    const auto key = [](const TuningPoint& p) { return std::tuple(p.implementation.place, p.row, p.column); };
    return key(a) < key(b);
  });
  return points;
}

namespace detail {
bool add(TuningPoint point) {
  store().push_back(std::move(point));
  return true;
}
}  // namespace detail

}  // namespace tandem
