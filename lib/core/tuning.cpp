#include "lib/core/tuning.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "tandem/error.h"

namespace tandem {
namespace {
std::vector<SweepPoint>& store() {
  static std::vector<SweepPoint> instance;
  return instance;
}
}  // namespace

std::vector<SweepPoint> sweep_points(std::string_view operation, std::string_view sweep) {
  std::vector<SweepPoint> points;
  std::set<std::string> known;
  for (const SweepPoint& point : store()) {
    if (point.implementation.operation != operation) continue;
    known.insert(point.sweep);
    if (point.sweep == sweep) points.push_back(point);
  }
  if (points.empty()) {
    std::string names;
    for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
    throw InvalidArgument("--sweep is '" + std::string(sweep) + "'; sweeps of " + std::string(operation) +
                          (known.empty() ? ": none in this build" : ": " + names));
  }
  std::sort(points.begin(), points.end(), [](const SweepPoint& a, const SweepPoint& b) {
    const auto key = [](const SweepPoint& p) { return std::tuple(p.implementation.place, p.row, p.column); };
    return key(a) < key(b);
  });
  return points;
}

namespace detail {
bool add(SweepPoint point) {
  store().push_back(std::move(point));
  return true;
}
}  // namespace detail

}  // namespace tandem
