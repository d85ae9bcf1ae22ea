#pragma once
// What this process can still take of the host's memory. Linux hands out more than there is and ends programs
// that use it, so large requests are held against this first.

#include <cstddef>
#include <string_view>

#include "tandem/export.h"

namespace tandem {

/// Bytes: the least of what the system has available (swap included), the limit of the control group, and what
/// RLIMIT_AS leaves; SIZE_MAX where none of them is known.
TANDEM_API std::size_t free_host_memory();

/// Throws OutOfMemory where `bytes` are more than that; `what` says for what they are needed. A few megabytes
/// are left to the allocator, which fails by itself.
TANDEM_API void require_host_memory(std::string_view what, double bytes);

}  // namespace tandem
