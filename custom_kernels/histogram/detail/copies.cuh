#pragma once
// How many tables side by side a block has room for.

#include "custom_kernels/histogram/detail/shared_table.cuh"

namespace tandem {

/// A counter for each lane, or for each of fewer groups of them: a power of two for which several blocks still share a
/// multiprocessor.
inline int copies_of_slots(std::int64_t slots) {
  constexpr std::int64_t kCounters = 8192;  // of a block: 32 KiB
  int copies = kWarp;
  while (copies > 1 && slots * copies > kCounters) copies /= 2;
  return copies;
}

inline bool few_bins(const Histogram::Shape& shape) { return !shape.many(); }

}  // namespace tandem
