#pragma once
// The version of OpenBLAS, for the rows of all operations.

#include <openblas_config.h>

#include <string>

namespace tandem {

inline const std::string kOpenblas(OPENBLAS_VERSION + 1, sizeof OPENBLAS_VERSION - 3);  // without its blanks

}  // namespace tandem
