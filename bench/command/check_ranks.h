#pragma once
// What `tandem check` does with kernels over ranks, in one process; only in builds with the executor.

#include <cstdint>
#include <string>

namespace tandem::command {

/// Every implementation of this name, or whose name it is a part of, by 1 to 5 ranks on the executor; prints a table. False where one
/// is wrong, or none was run.
bool check_rank_kernels(const std::string& pattern, std::uint64_t seed, bool json, bool csv);

}  // namespace tandem::command
