#pragma once
// Where the passes of a sort write, each of which reads what the one before wrote.

#include "lib/ops/sort/contract.h"

namespace tandem {

template <class Key, class Value>
Sort::Items<Key, Value> scratch_items(Context& ctx, std::int64_t n) {
  Sort::Items<Key, Value> items{ctx.scratch<Key>(n), nullptr};
  if constexpr (items.kPairs) items.values = ctx.scratch<Value>(n);
  return items;
}

/// Calls pass(p, from, to) for p = 0, 1, …, passes − 1: the first reads the input, the last writes the output, and in
/// between results go to and fro between it and scratch memory. No pass writes where it reads, unless
/// `first_in_place` says that the first one may.
template <class Key, class Value, class Pass>
void for_each_pass(const Sort::ArgsOf<Key>& a, Context& ctx, int passes, bool first_in_place, Pass pass) {
  const auto out = a.template out<Value>();
  const bool collides = a.in_place() && passes % 2 == 1 && !first_in_place;
  Sort::Items<Key, Value> spare{}, third{};
  if (passes > 1) spare = scratch_items<Key, Value>(ctx, a.n);
  if (collides) third = scratch_items<Key, Value>(ctx, a.n);
  auto from = a.template in<Value>();
  for (int p = 0; p < passes; ++p) {
    const auto to = collides && p == 0 ? third : (passes - p) % 2 == 1 ? out : spare;
    pass(p, from, to);
    from = to.read_only();
  }
  if (!collides || passes > 1) return;
  const auto n = static_cast<std::size_t>(a.n);
  ctx.copy(out.keys, from.keys, n * sizeof(Key));
  if constexpr (out.kPairs) ctx.copy(out.values, from.values, n * sizeof(Value));
}

}  // namespace tandem
