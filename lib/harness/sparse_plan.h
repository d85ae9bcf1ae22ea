#pragma once
// The trials of products of sparse matrices and vectors.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "lib/harness/operation.h"
#include "lib/harness/row_sums.h"
#include "lib/harness/sparse_matrices.h"

namespace tandem {

/// What one of them is to be.
struct SparseTrial {
  Family family;
  std::int64_t rows, length;
  double alpha, beta;
  Inputs inputs;
  std::vector<int> own;  // for each axis of the operation's own the number of its value
};
struct OwnAxis {
  const char* name;
  std::vector<std::string> values;
};

inline std::vector<std::string> texts_of(std::span<const std::int64_t> values) {
  std::vector<std::string> all;
  for (const std::int64_t value : values) all.push_back(std::to_string(value));
  return all;
}

/// Covers all pairs of what matrices, factors, values and the operation's own axes may be; make() turns one of them into a trial.
template <class Make>
Plan sparse_plan(Coverage coverage, std::uint64_t seed, const std::vector<CaseId>& ids,
                 const std::vector<OwnAxis>& own, const Make& make) {
  constexpr double kFactors[] = {
      1, 0, -1, 2, 0.5, -0.5, 3, 1e3, RowSums<float>::kFine, RowSums<float>::kTenth};
  enum { kCase, kRows, kLength, kFamily, kAlpha, kBeta, kValues, kOffset, kOwn };
  constexpr int kFamilyCount = static_cast<int>(std::size(kFamilies));
  constexpr std::int64_t kMost = 20'000;  // elements
  std::vector<std::int64_t> rows{0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 64, 127, 129, 255, 256, 257, 1000, 4099};
  std::vector<std::int64_t> lengths{0,  1,  2,  3,  4,  5,  7,   8,   9,   15,   16,   17,    20,
                                    27, 31, 32, 33, 48, 64, 100, 257, 513, 1000, 4097, 10'007};
  if (coverage == Coverage::brief) rows = {1, 9, 257}, lengths = {3, 32, 65};
  const auto of = [](const std::vector<std::int64_t>& values, int i) {
    return values[static_cast<std::size_t>(i)];
  };
  std::vector<std::string> factors;
  for (const double factor : kFactors) factors.push_back(fmt::format("{}", factor));
  Plan plan;
  plan.trials.resize(ids.size());
  plan.axes.add("case", names(ids));
  plan.axes.add("rows", texts_of(rows));
  plan.axes.add("length", texts_of(lengths));
  plan.axes.add("family", {kFamilies, kFamilies + kFamilyCount});
  plan.axes.add("alpha", factors);
  plan.axes.add("beta", factors);
  plan.axes.add("values", value_names());
  plan.axes.add("offset", offset_names());
  for (const OwnAxis& axis : own) plan.axes.add(axis.name, axis.values);
  plan.axes.exclude(kRows, kLength, [&](int r, int l) { return of(rows, r) * of(lengths, l) > kMost; });
  plan.axes.exclude(kCase, kOffset,
                    [&](int c, int o) { return !aligned(ids[static_cast<std::size_t>(c)], o); });
  plan.axes.close();
  Covering covering(plan.axes, seed);
  const auto add = [&](const Point& given) {
    const Point point = covering.next(given);
    if (point.empty()) return;
    auto& trials = plan.trials[static_cast<std::size_t>(point[kCase])];
    const CaseId id = ids[static_cast<std::size_t>(point[kCase])];
    trials.push_back(make(SparseTrial{static_cast<Family>(point[kFamily]),
                                      of(rows, point[kRows]),
                                      of(lengths, point[kLength]),
                                      kFactors[point[kAlpha]],
                                      kFactors[point[kBeta]],
                                      {static_cast<Values>(point[kValues]), seed + 3 * trials.size(),
                                       offset_in_elements(id, point[kOffset])},
                                      {point.begin() + kOwn, point.end()}}));
    trials.back().point = point;
  };
  Point any(kOwn + own.size(), -1);
  const int turns = coverage == Coverage::full ? 4 : 1;
  for (int turn = 0; turn < turns; ++turn) {
    for (any[kFamily] = 0; any[kFamily] < kFamilyCount; ++any[kFamily]) {
      for (any[kCase] = 0; any[kCase] < static_cast<int>(ids.size()); ++any[kCase]) add(any);
      any[kCase] = -1;
      for (any[kLength] = 0; any[kLength] < static_cast<int>(lengths.size()); ++any[kLength]) add(any);
      any[kLength] = -1;
    }
  }
  while (coverage != Coverage::brief) {
    const auto open = covering.open();
    if (!open) break;
    add(*open);
  }
  return plan;
}

}  // namespace tandem
