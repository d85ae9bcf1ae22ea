#pragma once
// The loop that wrong steps on the host start from.

#include <algorithm>

#include "lib/ops/histogram/contract.h"

namespace tandem {

/// Right where bin_of(x) is a.bin(x).
template <class Args, class BinOf>
void count_in_turn(const Args& a, BinOf bin_of) {
  std::fill_n(a.counts, a.bins, 0);
  for (std::int64_t i = 0; i < a.n; ++i) {
    if (const std::int32_t bin = bin_of(a.in[i]); bin >= 0 && bin < a.bins) ++a.counts[bin];
  }
}

}  // namespace tandem
