#pragma once
// A key's code with its position: what paths on the CPU select and sort by, whatever they do with equal items.

#include <cstdint>

#include "lib/ops/top_k/contract.h"

namespace tandem {

template <class Key>
struct CodeAt {
  Key code;
  std::int64_t position;
  /// What comes first: of equal keys the first position.
  bool operator<(const CodeAt& other) const {
    return code != other.code ? code < other.code : position < other.position;
  }
};

/// All n of them.
template <class Key>
CodeAt<Key>* codes_with_positions(const TopK::ArgsOf<Key>& a, Context& ctx) {
  auto* items = ctx.scratch<CodeAt<Key>>(a.n);
  for (std::int64_t i = 0; i < a.n; ++i) items[i] = {a.order.code(a.in[i]), i};
  return items;
}

/// The first k go to where the call wants them.
template <class Key>
void take(const TopK::ArgsOf<Key>& a, const CodeAt<Key>* items) {
  for (std::int64_t i = 0; i < a.k; ++i) {
    if (a.keys_out) a.keys_out[i] = a.in[items[i].position];
    if (a.positions_out) a.positions_out[i] = items[i].position;
  }
}

}  // namespace tandem
