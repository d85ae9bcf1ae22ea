#include "lib/core/require.h"

#include <fmt/format.h>

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
  if (const std::string reason = ctx.backend()->why_not(data); !reason.empty()) {
    throw InvalidArgument(fmt::format("{}: '{}' {}", operation, argument, reason));
  }
  ctx.lend(data, static_cast<std::size_t>(bytes));
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

}  // namespace tandem::require
