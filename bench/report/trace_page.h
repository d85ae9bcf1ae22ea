#pragma once
// A kernel's page: its source with what each line asks of memory, and its first warp round by round.

#include <string>

#include "bench/report/trace_counts.h"

namespace tandem::command {

/// One HTML file that needs no other and no script. `before`: the step that stands beside it, or null. Where it would be
/// longer than `most` bytes fewer rounds are shown, and it says so; InvalidArgument where that is not enough.
/// Unavailable where the sources are not at hand.
std::string kernel_page(const Traced& step, const Traced* before, std::size_t most);

}  // namespace tandem::command
