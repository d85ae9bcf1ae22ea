#pragma once
// How a whole is shared out over the ranks.

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

}  // namespace tandem::detail
