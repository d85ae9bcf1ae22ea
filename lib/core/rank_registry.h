#pragma once
// The implementations that all ranks run together: kernels that store into each other's memory. They join as others do, by
// REGISTER, but stand in a list of their own, for nobody can run one alone.

#include "lib/core/registry.h"

namespace tandem {

/// Ordered as implementations().
TANDEM_API const std::vector<Implementation>& rank_implementations();

}  // namespace tandem
