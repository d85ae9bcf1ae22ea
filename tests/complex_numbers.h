#pragma once
// Complex numbers for the tests of Fourier transforms.

#include <cmath>
#include <complex>
#include <concepts>
#include <limits>
#include <vector>

#include "lib/core/random_bits.h"

namespace tandem {

template <class T>
using Numbers = std::vector<std::complex<T>>;

/// Parts from −1 to 1.
template <class T>
Numbers<T> random_numbers(std::integral auto n, std::uint64_t seed = 7) {
  Numbers<T> x(static_cast<std::size_t>(n));
  const auto part = [&](std::size_t i) {
    return static_cast<T>(static_cast<double>(random_bits(seed, i) >> 11) * 0x1p-52 - 1);
  };
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = {part(2 * i), part(2 * i + 1)};
  return x;
}

/// ‖a − b‖ ÷ ‖b‖.
template <class Number>
double distance(const std::vector<Number>& a, const std::vector<Number>& b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < b.size(); ++i) difference += std::norm(a[i] - b[i]), norm += std::norm(b[i]);
  return std::sqrt(difference / norm);
}

/// Far above any error of a right transform, far below that of a wrong one.
template <class T>
constexpr double kClose = 1000 * std::numeric_limits<T>::epsilon();

}  // namespace tandem
