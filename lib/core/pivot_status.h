#pragma once
// How an operation whose kernels report pivots (tandem/device/pivot.h) throws what they report.

#include <cstdint>

#include "tandem/context.h"
#include "tandem/singular_system.h"

namespace tandem::detail {

/// The context's status word of this name, a literal. From the first call on, whatever waits for the context throws what
/// error(system, row) makes of a failure in it.
TANDEM_API std::uint64_t* pivot_status(Context& ctx, const char* name,
                                       SingularSystem (*error)(std::int64_t system, std::int64_t row));

}  // namespace tandem::detail
