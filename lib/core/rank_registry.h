#pragma once
// The implementations that all ranks run together: kernels that store into each other's memory. They join as others do, by
// REGISTER, but stand in a list of their own, for nobody can run one alone.

#include "lib/core/registry.h"

namespace tandem {

/// Ordered as implementations().
TANDEM_API const std::vector<Implementation>& rank_implementations();
/// Those that a name or a part of one means, as matching() does among the others.
TANDEM_API std::vector<const Implementation*> rank_matching(std::string_view pattern);
TANDEM_API bool is_over_ranks(const Implementation& implementation);

}  // namespace tandem
