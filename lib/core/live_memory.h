#pragma once
// The host memory that kernels on the executor may touch: allocations of contexts without their guard zones,
// and the caller's arrays for the length of a call. The executor reports every other access.

#include <cstddef>
#include <vector>

#include "tandem/export.h"

namespace tandem::live_memory {

struct Range {
  const std::byte* begin;
  const std::byte* end;
};

/// O(log n) of n ranges, as is remove().
TANDEM_API void add(const void* begin, std::size_t bytes);
/// Takes one such range away, if there is one.
TANDEM_API void remove(const void* begin, std::size_t bytes) noexcept;
/// In ascending order, overlapping ones joined.
TANDEM_API std::vector<Range> snapshot();

}  // namespace tandem::live_memory
