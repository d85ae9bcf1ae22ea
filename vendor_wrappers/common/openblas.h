#pragma once
// The version of OpenBLAS and what its integers hold, for the rows of all operations.

#include <openblas_config.h>

#include <climits>
#include <cstdint>
#include <string>

namespace tandem {

inline const std::string kOpenblas(OPENBLAS_VERSION + 1, sizeof OPENBLAS_VERSION - 3);  // without its blanks

/// Whether lines of `length` elements with a gap behind each have a leading dimension that an int holds.
inline bool fits_int(std::int64_t length, std::int64_t gap) {
  return length <= INT_MAX && gap <= INT_MAX - length;
}

}  // namespace tandem
