#pragma once
// How a whole is shared out over the ranks.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tandem/communicator.h"

namespace tandem::detail {

/// Which of ranks_paths(call) has this full or partial name. InvalidArgument for any other.
std::int32_t path_named(RankCall call, std::string_view use);

/// Where the rows of each rank begin, and where those of the last end. InvalidArgument where they are not `wanted` in all, the
/// columns of matrix `of`.
std::vector<std::int64_t> begins_of(const char* call, const char* matrix,
                                    const std::vector<std::int64_t>& rows, std::int64_t wanted,
                                    const char* of);

/// The nearest ranks before and after this one that have something, whose numbers counts tell; kNone where there is none, or where this
/// rank has nothing itself. Where the whole is periodic, the first and the last of them are neighbours, too.
struct Neighbours {
  static constexpr std::size_t kNone = SIZE_MAX;
  std::size_t before = kNone, after = kNone;
};
Neighbours neighbours_of(const std::vector<std::int64_t>& counts, int rank, bool periodic = false);

}  // namespace tandem::detail
