#include "lib/dist/parts.h"

#include <fmt/format.h>

#include "tandem/error.h"

namespace tandem::detail {

std::vector<std::int64_t> begins_of(const char* call, const char* matrix,
                                    const std::vector<std::int64_t>& rows, std::int64_t wanted,
                                    const char* of) {
  std::vector<std::int64_t> begins{0};
  __int128 sum = 0;  // a rank may have given anything
  for (const std::int64_t count : rows) begins.push_back(static_cast<std::int64_t>(sum += count));
  if (sum == wanted) return begins;
  throw InvalidArgument(
      fmt::format("{}: the rows of '{}' of all ranks add up to {}; they must be {}, the cols of '{}'", call,
                  matrix, static_cast<double>(sum), wanted, of));
}

}  // namespace tandem::detail
