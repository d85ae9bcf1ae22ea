#pragma once
// One result by the definition.

#include "lib/ops/fft/contract.h"

namespace tandem {

/// Result k of a row: a sum over its numbers. `roots`: e^(−2πi k/n), k = 0 … n−1.
template <class Args, class T>
TANDEM_HD Complex<T> by_definition(const Args& a, std::int64_t row, std::int64_t k, const Complex<T>* roots) {
  Complex<T> sum{0, 0};
  std::int64_t at = 0;  // jk mod n
  for (std::int64_t j = 0; j < a.n; ++j) {
    sum = sum + a.load(row, j) * roots[at];
    at += k;
    if (at >= a.n) at -= a.n;
  }
  return sum;
}

}  // namespace tandem
