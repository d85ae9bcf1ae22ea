#pragma once
// How the threads of a CPU share a batch of systems.

#include <algorithm>

#include "lib/core/workers.h"

namespace tandem {

/// For systems of n rows, each solved by one thread.
constexpr Pieces systems_per_piece(std::int64_t n) {
  constexpr std::int64_t kPieceRows = 1 << 12, kAloneRows = 1 << 14;
  n = std::max<std::int64_t>(1, n);
  return {.size = std::max<std::int64_t>(1, kPieceRows / n),
          .alone = std::max<std::int64_t>(1, kAloneRows / n)};
}

}  // namespace tandem
