#pragma once
// What operations throw that cannot divide.

#include <cstdint>
#include <string>

#include "tandem/error.h"

namespace tandem {

/// A matrix turned out singular (or, for tridiagonal without `pivot`, to need an exchange of rows): in this row of this
/// system, numbered s + t·inner, elimination met a pivot that is zero, below the smallest normal number, or NaN. It is the
/// first such system, and its first such row in elimination from the top, whatever the order in which a path eliminates. The
/// solution of that system is unspecified, those of others are right. What sptrsv says of rows stands there; its one system
/// is 0.
class TANDEM_API SingularSystem : public Error {
 public:
  SingularSystem(std::int64_t system, std::int64_t row);
  SingularSystem(const std::string& text, std::int64_t system, std::int64_t row);
  std::int64_t system, row;
};

}  // namespace tandem
