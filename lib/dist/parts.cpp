#include "lib/dist/parts.h"

#include <fmt/format.h>

#include "lib/core/names.h"
#include "tandem/error.h"

namespace tandem::detail {

std::int32_t path_named(RankCall call, std::string_view use) {
  const std::vector<std::string>& names = ranks_paths(call);
  const std::string end = fmt::format("/{}", use);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == use || names[i].ends_with(end)) return static_cast<std::int32_t>(i);
  throw InvalidArgument(
      fmt::format("{} over ranks: {}", name(call), unknown_name("implementation", use, names)));
}

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

Neighbours neighbours_of(const std::vector<std::int64_t>& counts, int rank, bool periodic) {
  const auto ranks = counts.size(), me = static_cast<std::size_t>(rank);
  Neighbours found;
  if (counts[me] == 0) return found;
  // From the farthest to the nearest: once around, or to the ends.
  for (std::size_t distance = ranks; distance > 0; --distance) {
    const std::size_t before = (me + ranks - distance) % ranks, after = (me + distance) % ranks;
    if (counts[before] > 0 && (periodic || before < me)) found.before = before;
    if (counts[after] > 0 && (periodic || after > me)) found.after = after;
  }
  return found;
}

}  // namespace tandem::detail
