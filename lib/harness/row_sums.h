#pragma once
// Products of sparse rows and a vector: what is right, and how far off results may be.

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "lib/harness/problem.h"
#include "lib/harness/test_data.h"

namespace tandem {

/// α·A·x + β·y, row by row.
template <class T>
class RowSums {
 public:
  using Wide = Wider<T>;
  /// Factors that floats do not hold: exact in doubles, and in no binary type.
  static constexpr double kFine = 1 + 0x1p-30, kTenth = 0.1;

  RowSums(double alpha, double beta, Values values, CaseId id)
      : alpha_(static_cast<T>(alpha)),
        beta_(static_cast<T>(beta)),
        exact_(is_exact(values, {id.type, OperatorId::plus}) && alpha != kTenth && beta != kTenth) {}

  /// The next row: values and columns of its elements, and what its result is before.
  void add(std::span<const T> values, std::span<const std::int32_t> columns, const std::vector<T>& x,
           T before) {
    Wide sum = 0, absolute = 0;
    for (std::size_t k = 0; k < values.size() && alpha_ != 0; ++k) {
      const Wide product = static_cast<Wide>(values[k]) * x[static_cast<std::size_t>(columns[k])];
      sum += product;
      absolute += std::fabs(product);
    }
    const Wide product = alpha_ == 0 ? 0 : alpha_ * sum,
               kept = beta_ == 0 ? 0 : static_cast<Wide>(beta_) * before;
    want.push_back(static_cast<T>(product + kept));
    if (exact_) return;
    rows_.push_back({static_cast<double>(std::fabs(static_cast<Wide>(alpha_)) * absolute),
                     static_cast<double>(std::fabs(kept)), static_cast<double>(values.size())});
  }
  /// Of sums in which no element goes through more than `depth` additions.
  std::vector<double> bounds(double depth) const {
    // Exact results may be off by nothing, but a library that flushes to 0 by a finite number of these: a matter of digits.
    constexpr double kLessThanAnyError = std::numeric_limits<T>::denorm_min() / 4.0;
    std::vector<double> all(exact_ ? want.size() : 0, kLessThanAnyError);
    for (const Row& row : rows_) {
      all.push_back(gamma<T>(std::min(depth, row.length) + 2) * row.magnitude +
                    2 * std::numeric_limits<T>::epsilon() * row.added +
                    underflow<T>(std::fabs(static_cast<double>(alpha_)) * row.length + 2));
    }
    return all;
  }

  std::vector<T> want;

 private:
  struct Row {
    double magnitude, added;  // |α|·|A|·|x|, |β·y|
    double length;
  };
  T alpha_, beta_;
  bool exact_;
  std::vector<Row> rows_;
};

/// Fills an operand that is read; one that is not is NaN, and nobody sends it.
template <class T>
void fill_or_forget(Input<T>& input, bool read, const Inputs& with) {
  input.sent = read;
  if (read)
    fill(std::span<T>(input.values), OperatorId::plus, with);
  else
    std::fill(input.values.begin(), input.values.end(), std::numeric_limits<T>::quiet_NaN());
}
/// Elements of x in whose column nothing stands must not be read: they are NaN.
template <class T>
void forget_unnamed(Input<T>& x, std::span<const std::int32_t> columns) {
  std::vector<bool> named(x.values.size());
  for (const std::int32_t column : columns) named[static_cast<std::size_t>(column)] = true;
  for (std::size_t j = 0; j < named.size(); ++j) {
    if (!named[j]) x.values[j] = std::numeric_limits<T>::quiet_NaN();
  }
}

}  // namespace tandem
