#pragma once
// The loop that wrong steps on the host start from.

#include <algorithm>

#include "lib/ops/select/contract.h"

namespace tandem {

/// Right where keeps(i) is a.keeps(i), and where the call is not in place. Returns how many are kept.
template <class Args, class Keeps>
std::int64_t select_in_turn(const Args& a, Keeps keeps) {
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < a.n; ++i) {
    if (keeps(i)) a.out[kept++] = a.in[i];
  }
  if (a.kind == Select::Kind::partition) {
    std::int64_t end = kept;
    for (std::int64_t i = 0; i < a.n; ++i) {
      if (!keeps(i)) a.out[end++] = a.in[i];
    }
  }
  return *a.count = kept;
}

}  // namespace tandem
