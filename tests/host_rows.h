#pragma once
// The implementations that a test on the CPU goes through.

#include <string_view>
#include <vector>

#include "lib/core/registry.h"

namespace tandem {

/// What runs in a context of the host, the executor's rows included, of one operation or of all. None is
/// planted.
inline std::vector<const Implementation*> host_rows(std::string_view operation = "") {
  std::vector<const Implementation*> rows;
  for (const Implementation& i : implementations()) {
    if (!operation.empty() && i.operation != operation) continue;
    if (i.unavailable().empty() && i.place != Place::device && i.path != "wrong") rows.push_back(&i);
  }
  return rows;
}

}  // namespace tandem
