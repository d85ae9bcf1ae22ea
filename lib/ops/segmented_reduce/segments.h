#pragma once
// What operations over Segments check of them.

#include <fmt/format.h>

#include "tandem/error.h"
#include "tandem/segmented_reduce.h"

namespace tandem::detail {

/// Where segments were looked at, they end within the `size` elements of `in`.
inline void require_segments_inside(const char* operation, const Segments& segments, std::int64_t size) {
  if (segments.end() <= size) return;
  throw InvalidArgument(segments.offsets()
                            ? fmt::format("{}: offset {} is {}; 'in' has {} elements", operation,
                                          segments.count(), segments.end(), size)
                            : fmt::format("{}: {} segments of {} elements are {}; 'in' has {} elements",
                                          operation, segments.count(), segments.longest(), segments.end(),
                                          size));
}

}  // namespace tandem::detail
