#pragma once
// Geometric mean and worst of the ratios that there are.

#include <algorithm>
#include <cmath>
#include <limits>

namespace tandem::command {

struct Ratios {
  int count = 0;
  double logarithms = 0, worst = std::numeric_limits<double>::infinity();
  /// 0: there is none.
  void add(double ratio) {
    if (ratio == 0) return;
    ++count;
    logarithms += std::log(ratio);
    worst = std::min(worst, ratio);
  }
  double mean() const { return std::exp(logarithms / count); }
};

}  // namespace tandem::command
