#pragma once
// Family::periodic with data that follow from their indices: values are small numbers of the period of the columns, and so is what
// they are multiplied by.

#include "lib/harness/closed_form.h"
#include "lib/harness/sparse_matrices.h"

namespace tandem {

/// Where rows of one length begin.
inline ClosedForm<std::int64_t> periodic_offsets(std::int64_t length) {
  ClosedForm<std::int64_t> form{{0}};
  form.rise = length;
  return form;
}
inline ClosedForm<std::int32_t> periodic_columns() {
  ClosedForm<std::int32_t> form;
  for (std::int32_t q = 0; q < kColumnPeriod; ++q) form.first.push_back(q);
  return form;
}
template <class T>
ClosedForm<T> periodic_values() {
  return {small_numbers<T>(kColumnPeriod)};
}
/// One for each column.
template <class T>
std::vector<T> periodic_factors() {
  return small_numbers<T>(kColumnPeriod, 1);
}
/// The product of a matrix of such values with these factors, of which each kColumnPeriod rows are alike.
template <class T>
std::vector<T> periodic_sums(std::int64_t length) {
  const std::vector<T> left = small_numbers<T>(kColumnPeriod), right = periodic_factors<T>();
  std::vector<T> sums;
  for (std::int64_t r = 0; r < kColumnPeriod; ++r) {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < kColumnPeriod; ++i) {
      const std::int64_t times = length / kColumnPeriod + (i < length % kColumnPeriod);
      const auto q = static_cast<std::size_t>((r * (length % kColumnPeriod) + i) % kColumnPeriod);
      sum += times * static_cast<std::int64_t>(left[q] * right[q]);
    }
    sums.push_back(static_cast<T>(sum));
  }
  return sums;
}

}  // namespace tandem
