// Idea:    four tables, and neighbours count in different ones: an addition no longer waits for the store of the one
//          before.
// New:     against threads, four additions are under way at once, also where all elements are in one bin. Bins are
//          found for a block of elements first, by vector instructions, and counted then.
// Expect:  on equal neighbours some four times the speed of threads; on others what finding bins by vectors saves.
// Limits:  four tables for each thread: with many bins they leave the cache.
// Source:  Fog, "The microarchitecture of Intel, AMD, and VIA CPUs", on store forwarding.

#include "custom_kernels/histogram/detail/tables.h"

namespace tandem {
namespace {

constexpr int kTables = 4;
constexpr std::int64_t kBlock = 512;

/// The slots of a block's elements. Bytes need none.
template <class Args, class T>
void find_slots(const Args& a, const T* in, std::int64_t count, std::int32_t* slots) {
  if (a.edges) {
    for (std::int64_t i = 0; i < count; ++i)
      slots[i] = bin_between(a.edges, a.bins, typename Args::Edge(in[i]));
  } else {
    for (std::int64_t i = 0; i < count; ++i) slots[i] = a.even(in[i]);
  }
}

template <class Slot>
void count_slots(const Slot* slots, std::int64_t count, std::int64_t stride, std::int64_t* table) {
  std::int64_t i = 0;
  for (; i + kTables <= count; i += kTables) {
    for (int t = 0; t < kTables; ++t) ++table[t * stride + slots[i + t]];
  }
  for (; i < count; ++i) ++table[slots[i]];
}

template <class C>
void interleaved(const typename C::Args& a, Context& ctx) {
  const std::int64_t stride = a.slots() + 1;
  count_in_tables<kTables>(a, ctx, [&](std::int64_t begin, std::int64_t end, std::int64_t* table) {
    if constexpr (C::Args::kByValue) {
      count_slots(a.in + begin, end - begin, stride, table);
    } else {
      std::int32_t slots[kBlock];
      for (std::int64_t first = begin; first < end; first += kBlock) {
        const std::int64_t count = std::min(kBlock, end - first);
        find_slots(a, a.in + first, count, slots);
        count_slots(slots, count, stride, table);
      }
    }
  });
}

bool few_bins(const Histogram::Shape& shape) { return !shape.many() && worth_tables<kTables>(shape); }

REGISTER(Histogram, interleaved, .note = "four tables for each thread, bins found by vectors",
         .suits = few_bins)

}  // namespace
}  // namespace tandem
