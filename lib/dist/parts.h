#pragma once
// How a whole is shared out over the ranks.

#include <cstdint>
#include <vector>

namespace tandem::detail {

/// Where the rows of each rank begin, and where those of the last end. InvalidArgument where they are not `wanted` in all, the
/// columns of matrix `of`.
std::vector<std::int64_t> begins_of(const char* call, const char* matrix,
                                    const std::vector<std::int64_t>& rows, std::int64_t wanted,
                                    const char* of);

}  // namespace tandem::detail
