#pragma once
// One block that sorts by odd-even transposition, with a mistake.

#include <string>

#include "lib/ops/sort/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem::odd_even {

enum class Mistake { missing_barrier, not_in_place, too_few_rounds, tail_lost };

constexpr int kThreads = 128, kMost = 2 * kThreads;

/// Neighbours change places until all are in order.
template <Mistake kMistake, class Key, class Value>
__global__ void sort_block(Sort::Items<const Key, const Value> in, int n, Sort::Items<Key, Value> out,
                           KeyOrder<Key> order) {
  __shared__ Shared<Key, kMost> ranks;
  __shared__ Shared<int, kMost> places;
  const int t = threadIdx.x;
  for (int i = t; i < n; i += kThreads) {
    ranks[i] = order.rank(in.keys[i]);
    places[i] = i;
  }
  __syncthreads();
  const int rounds = kMistake == Mistake::too_few_rounds ? n / 2 : n;
  for (int round = 0; round < rounds; ++round) {
    const int i = 2 * t + round % 2;
    if (i + 1 < n && ranks[i + 1] < ranks[i]) {
      const Key rank = ranks[i];
      const int place = places[i];
      ranks[i] = Key(ranks[i + 1]), ranks[i + 1] = rank;
      places[i] = int(places[i + 1]), places[i + 1] = place;
    }
    if constexpr (kMistake != Mistake::missing_barrier) __syncthreads();
  }
  __syncthreads();
  const int written = kMistake == Mistake::tail_lost ? n / 2 * 2 : n;
  Key keys[2];
  Value values[2];
  for (int k = 0; k < 2; ++k) {
    const int i = t + k * kThreads;
    if (i >= n) continue;
    keys[k] = in.keys[places[i]];
    if constexpr (in.kPairs) values[k] = in.values[places[i]];
    if constexpr (kMistake == Mistake::not_in_place) {
      out.keys[i] = keys[k];
      if constexpr (out.kPairs) out.values[i] = values[k];
    }
  }
  if constexpr (kMistake == Mistake::not_in_place) return;
  __syncthreads();
  for (int k = 0; k < 2; ++k) {
    const int i = t + k * kThreads;
    if (i >= written) continue;
    out.keys[i] = keys[k];
    if constexpr (out.kPairs) out.values[i] = values[k];
  }
}

template <Mistake kMistake, class C>
void sort(const typename C::Args& a, Context& ctx) {
  Sort::with_values(a.value_bytes, [&]<class Value>() {
    launch(ctx, 1, kThreads, 0, sort_block<kMistake, typename C::Key, Value>, a.template in<Value>(),
           int(a.n), a.template out<Value>(), a.order);
  });
}
inline std::string too_long(const Sort::Shape& shape, CaseId) {
  return shape.n > kMost ? "one block holds 256 keys" : "";
}

}  // namespace tandem::odd_even
