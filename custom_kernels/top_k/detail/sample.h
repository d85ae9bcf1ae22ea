#pragma once
// A few keys of the input tell a limit: about `rank` of them, and so little more than k of all keys, are up to it.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tandem/export.h"

namespace tandem {

constexpr int kMostSamples = 8192;

struct Sample {
  int size;           // keys of the sample
  std::int64_t rank;  // of the limit among them, 1 is the first

  /// One key of eight at most. The limit's rank is the one that the k-th key would have on average, and more by four times
  /// of what it varies: that fewer than k keys are within the limit is rare.
  static Sample of(std::int64_t n, std::int64_t k) {
    const auto size = int(std::min<std::int64_t>(kMostSamples, (n + 7) / 8));
    const double average = double(k) * size / double(n);
    return {size, std::min<std::int64_t>(size, std::int64_t(average + 4 * std::sqrt(average) + 4))};
  }
  /// Sample j is a key of the j-th of `size` equal parts of the input, drawn so that no period of the data meets all samples.
  TANDEM_HD std::int64_t position(int j, std::int64_t n) const {
    const std::int64_t begin = n * j / size, width = n * (j + 1) / size - begin;
    std::uint32_t bits = (std::uint32_t(j) + 1) * 0x9E3779B9u;
    bits = (bits ^ bits >> 15) * 0x85EBCA6Bu;
    return begin + std::int64_t(std::uint64_t(bits ^ bits >> 13) * std::uint64_t(width) >> 32);
  }
};

}  // namespace tandem
