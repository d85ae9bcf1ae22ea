#include "tandem/matrix.h"

#include <fmt/format.h>

namespace tandem {

const char* name(Layout layout) { return layout == Layout::row_major ? "row_major" : "column_major"; }

namespace detail {

std::int64_t storage_size(std::int64_t lines, std::int64_t line, std::int64_t ld, std::size_t element_bytes) {
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

}  // namespace tandem
