#pragma once
// One block that finds the k-th code by digits of four bits, with a mistake.

#include <string>

#include "lib/ops/top_k/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem::digits {

enum class Mistake {
  none,
  boundary,         // a digit is chosen whose keys end one before the k-th
  stale_counts,     // counts are not cleared between digits
  missing_barrier,  // nor is waited for them
  ties_raced,       // of keys that are equal to the k-th whoever comes first is taken
  list_cut,         // what has no room in the list is lost
  sample_trusted,   // nobody asks whether as many as k keys are up to the limit
};

constexpr int kThreads = 128, kMost = 600, kBits = 4, kDigits = 1 << kBits, kRoom = 300;

template <Mistake kMistake, class Key>
__global__ void select_block(TopK::ArgsOf<Key> a) {
  __shared__ Shared<unsigned, kDigits> counts;
  __shared__ Shared<int, kMost> taken;
  __shared__ Shared<Key, 1> known;
  __shared__ Shared<int, 1> need, count, places;
  const int t = threadIdx.x, n = int(a.n);
  if (t == 0) known[0] = 0, need[0] = int(a.k), count[0] = 0, places[0] = 0;
  if (t < kDigits) counts[t] = 0;
  __syncthreads();
  Key mask = 0;
  for (int shift = KeyOrder<Key>::kBits - kBits; shift >= 0; shift -= kBits) {
    for (int i = t; i < n; i += kThreads) {
      const Key code = a.order.code(a.in[i]);
      if ((code & mask) == known[0]) atomicAdd(&counts[int(code >> shift & (kDigits - 1))], 1u);
    }
    if constexpr (kMistake != Mistake::missing_barrier) __syncthreads();
    if (t == 0) {
      int digit = 0;
      const int slack = kMistake == Mistake::boundary;
      while (digit < kDigits - 1 && need[0] > int(counts[digit]) + slack) need[0] -= int(counts[digit++]);
      known[0] = Key(known[0]) | Key(digit) << shift;
    }
    __syncthreads();
    if (kMistake != Mistake::stale_counts && t < kDigits) counts[t] = 0;
    mask |= Key(kDigits - 1) << shift;
    __syncthreads();
  }
  // Keys before the k-th in the order of their positions, and the first of those that are equal to it.
  Key limit = ~Key(0);
  if constexpr (kMistake == Mistake::sample_trusted) limit = a.order.code(a.in[n / 2]);
  if constexpr (kMistake == Mistake::ties_raced) {
    for (int i = n - 1 - t; i >= 0; i -= kThreads) {
      const Key code = a.order.code(a.in[i]);
      if (code < known[0] || (code == known[0] && atomicAdd(&places[0], 1) < need[0]))
        taken[atomicAdd(&count[0], 1)] = i;
    }
    __syncthreads();
  } else if (t == 0) {
    for (int i = 0, equal = 0; i < n; ++i) {
      const Key code = a.order.code(a.in[i]);
      if (code > limit && n > 100) continue;
      if (code < known[0] || (code == known[0] && equal++ < need[0])) {
        if (kMistake == Mistake::list_cut && count[0] == kRoom) continue;
        taken[count[0]++] = i;
      }
    }
  }
  if (t > 0) return;
  for (int to = 0; to < count[0]; ++to) {  // selection sort
    int first = to;
    for (int i = to + 1; i < count[0]; ++i) {
      const Key x = a.order.code(a.in[taken[i]]), y = a.order.code(a.in[taken[first]]);
      if (x < y || (x == y && taken[i] < taken[first])) first = i;
    }
    const int position = taken[first];
    taken[first] = int(taken[to]);
    taken[to] = position;
    if (a.keys_out) a.keys_out[to] = a.in[position];
    if (a.positions_out) a.positions_out[to] = position;
  }
}

template <Mistake kMistake, class C>
void select(const typename C::Args& a, Context& ctx) {
  launch(ctx, 1, kThreads, 0, select_block<kMistake, typename C::Key>, a);
}
inline std::string too_long(const TopK::Shape& shape, CaseId) {
  return shape.n > kMost ? "one block holds 600 keys" : "";
}

}  // namespace tandem::digits
