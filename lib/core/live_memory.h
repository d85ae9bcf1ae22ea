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
/// In ascending order, overlapping ones joined; without those of other ranks than `rank`.
TANDEM_API std::vector<Range> snapshot(int rank = -1);

/// What the calling OS thread adds while this lives is of one of several ranks in this process (simt/ranks.h), and the kernels of
/// the others must not touch it.
class OfRank {
 public:
  TANDEM_API explicit OfRank(int rank);
  OfRank(const OfRank&) = delete;
  TANDEM_API ~OfRank();

 private:
  int before_;
};

}  // namespace tandem::live_memory
