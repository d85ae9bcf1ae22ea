#pragma once
// What operations over Segments check of them.

#include <fmt/format.h>

#include "lib/core/require.h"
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

inline bool lie_by_offsets(const Segments& segments) { return segments.offsets() || segments.end() < 0; }

/// Offsets, where segments have them, lie in the memory of the context and apart from `out`.
inline void require_offsets(Context& ctx, const char* operation, const Segments& segments,
                            const AnyArray& out) {
  if (!lie_by_offsets(segments)) return;
  const std::int64_t size = segments.count() + 1;
  require::array(ctx, operation, "offsets", segments.offsets(), size, sizeof(std::int64_t));
  require::overlap(operation, segments.offsets(), static_cast<std::size_t>(size) * sizeof(std::int64_t),
                   out.data, out.bytes(), false, "offsets");
}

}  // namespace tandem::detail
