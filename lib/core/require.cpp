#include "lib/core/require.h"

#include <fmt/format.h>

#include "lib/core/context_impl.h"
#include "tandem/error.h"

namespace tandem::require {

void array(Context& ctx, const char* operation, const char* argument, const void* data, std::int64_t size,
           std::size_t element_bytes, std::size_t alignment) {
  if (size < 0)
    throw InvalidArgument(
        fmt::format("{}: size of '{}' is {}; it must be at least 0", operation, argument, size));
  std::int64_t bytes;
  if (__builtin_mul_overflow(size, static_cast<std::int64_t>(element_bytes), &bytes)) {
    throw InvalidArgument(fmt::format("{}: size of '{}' is {}; {} elements of {} bytes overflow 2^63 bytes",
                                      operation, argument, size, size, element_bytes));
  }
  if (size == 0) return;
  if (!data)
    throw InvalidArgument(fmt::format("{}: '{}' is null, but its size is {}", operation, argument, size));
  if (reinterpret_cast<std::uintptr_t>(data) % (alignment ? alignment : element_bytes) != 0) {
    throw InvalidArgument(fmt::format("{}: '{}' starts at {}, which is not a multiple of its {} {}",
                                      operation, argument, data, alignment ? "alignment" : "element size",
                                      alignment ? alignment : element_bytes));
  }
  if (const std::string reason = backend(ctx).why_not(data); !reason.empty()) {
    throw InvalidArgument(fmt::format("{}: '{}' {}", operation, argument, reason));
  }
  ctx.impl().lend(data, static_cast<std::size_t>(bytes));
}

void same_size(const char* operation, std::int64_t in, std::int64_t out, const char* in_name,
               const char* out_name) {
  if (in != out) {
    throw InvalidArgument(fmt::format("{}: size of '{}' is {}; it must be {}, the size of '{}'", operation,
                                      out_name, out, in, in_name));
  }
}

void overlap(const char* operation, const void* in, std::size_t in_bytes, const void* out,
             std::size_t out_bytes, bool exact_alias_allowed, const char* in_name, const char* out_name) {
  const auto a = reinterpret_cast<std::uintptr_t>(in), b = reinterpret_cast<std::uintptr_t>(out);
  if (a + in_bytes <= b || b + out_bytes <= a || in_bytes == 0 || out_bytes == 0) return;
  if (a == b && exact_alias_allowed) return;
  throw InvalidArgument(
      fmt::format("{}: '{}' overlaps '{}' by starting {} bytes {} it; {}", operation, out_name, in_name,
                  a < b ? b - a : a - b, b >= a ? "after" : "before",
                  exact_alias_allowed ? "only exactly in place is allowed" : "they must be apart"));
}

void matrix(Context& ctx, const char* operation, const char* argument, const MatrixView<const std::byte>& a,
            std::size_t element_bytes, std::size_t alignment) {
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
  const std::int64_t elements = detail::storage_size(a.lines(), a.line(), a.ld, element_bytes);
  if (elements < 0) {
    throw InvalidArgument(
        fmt::format("{}: '{}' is {} x {} with leading dimension {}; elements of {} bytes overflow 2^63 bytes",
                    operation, argument, a.rows, a.cols, a.ld, element_bytes));
  }
  array(ctx, operation, argument, a.data, elements, element_bytes, alignment);
}

void apart(const char* operation, const char* argument_a, const MatrixView<const std::byte>& a,
           const char* argument_b, const MatrixView<const std::byte>& b, std::size_t element_bytes) {
  const auto bytes = [=](std::int64_t elements) {
    return elements * static_cast<std::int64_t>(element_bytes);
  };
  const std::int64_t size_a = bytes(detail::storage_size(a.lines(), a.line(), a.ld, element_bytes));
  const std::int64_t size_b = bytes(detail::storage_size(b.lines(), b.line(), b.ld, element_bytes));
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

}  // namespace tandem::require
