#include "tandem/matrix.h"

#include <fmt/format.h>

#include "lib/core/require.h"

namespace tandem {

const char* name(Layout layout) { return layout == Layout::row_major ? "row_major" : "column_major"; }

namespace detail {

std::int64_t extent(std::int64_t lines, std::int64_t line, std::int64_t ld, std::size_t element_bytes) {
  if (lines == 0 || line == 0) return 0;
  std::int64_t elements, bytes;
  if (__builtin_mul_overflow(lines - 1, ld, &elements) || __builtin_add_overflow(elements, line, &elements) ||
      __builtin_mul_overflow(elements, static_cast<std::int64_t>(element_bytes), &bytes)) {
    return -1;
  }
  return elements;
}

void too_small(std::int64_t size, std::int64_t rows, std::int64_t cols, std::int64_t ld) {
  throw InvalidArgument(fmt::format("matrix: {} elements are too few for {} x {} with leading dimension {}",
                                    size, rows, cols, ld));
}

}  // namespace detail

namespace require {

void matrix(Context& ctx, const char* operation, const char* argument, const MatrixView<const std::byte>& a,
            std::size_t element_bytes) {
  if (a.layout != Layout::row_major && a.layout != Layout::column_major) {
    throw InvalidArgument(
        fmt::format("{}: layout of '{}' is {}; it must be row_major (0) or column_major (1)", operation,
                    argument, static_cast<int>(a.layout)));
  }
  for (const auto& [what, value] : {std::pair{"rows", a.rows}, {"cols", a.cols}}) {
    if (value < 0) {
      throw InvalidArgument(
          fmt::format("{}: {} of '{}' is {}; it must be at least 0", operation, what, argument, value));
    }
  }
  if (a.ld < a.line()) {
    throw InvalidArgument(
        fmt::format("{}: leading dimension of '{}' is {}; it must be at least {}, the length of a {}",
                    operation, argument, a.ld, a.line(), a.layout == Layout::row_major ? "row" : "column"));
  }
  const std::int64_t elements = detail::extent(a.lines(), a.line(), a.ld, element_bytes);
  if (elements < 0) {
    throw InvalidArgument(
        fmt::format("{}: '{}' is {} x {} with leading dimension {}; elements of {} bytes overflow 2^63 bytes",
                    operation, argument, a.rows, a.cols, a.ld, element_bytes));
  }
  array(ctx, operation, argument, a.data, elements, element_bytes);
}

void apart(const char* operation, const char* argument_a, const MatrixView<const std::byte>& a,
           const char* argument_b, const MatrixView<const std::byte>& b, std::size_t element_bytes) {
  const auto bytes = [=](std::int64_t elements) {
    return elements * static_cast<std::int64_t>(element_bytes);
  };
  const std::int64_t size_a = bytes(detail::extent(a.lines(), a.line(), a.ld, element_bytes));
  const std::int64_t size_b = bytes(detail::extent(b.lines(), b.line(), b.ld, element_bytes));
  const std::int64_t distance =
      reinterpret_cast<std::intptr_t>(b.data) - reinterpret_cast<std::intptr_t>(a.data);
  if (size_a == 0 || size_b == 0 || distance >= size_a || distance <= -size_b) return;
  if (a.ld == b.ld && a.layout == b.layout) {
    // On a circle of one line's length both cover one arc each.
    const std::int64_t ld = bytes(a.ld), begin = (distance % ld + ld) % ld;
    if (begin >= bytes(a.line()) && begin + bytes(b.line()) <= ld) return;
  }
  throw InvalidArgument(fmt::format("{}: '{}' overlaps '{}' by starting {} bytes {} it; they must be apart",
                                    operation, argument_b, argument_a, std::abs(distance),
                                    distance >= 0 ? "after" : "before"));
}

}  // namespace require
}  // namespace tandem
