#include "tandem/singular_system.h"

#include <fmt/format.h>

namespace tandem {

SingularSystem::SingularSystem(std::int64_t system, std::int64_t row)
    : SingularSystem(
          fmt::format(
              "tridiagonal: system {} has no usable pivot in row {}: the matrix is singular, or needs an "
              "exchange of rows (Systems::pivot)",
              system, row),
          system, row) {}

SingularSystem::SingularSystem(const std::string& text, std::int64_t system, std::int64_t row)
    : Error(text), system(system), row(row) {}

}  // namespace tandem
