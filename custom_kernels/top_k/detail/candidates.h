#pragma once
// The first k of a part of the input, kept while the part is read, and how threads share the parts.

#include "custom_kernels/top_k/detail/first_items.h"
#include "lib/core/workers.h"

namespace tandem {

/// Keys come in ascending position, so one whose code is that of the k-th comes behind it.
template <class Key>
struct Candidates {
  CodeAt<Key>* items;
  std::int64_t k, room;  // room > k
  std::int64_t count = 0;
  bool full = false;  // the first k are known: what is not below `limit` is none of them
  Key limit = 0;

  bool takes(Key code) const { return !full || code < limit; }
  void add(Key code, std::int64_t position) {
    items[count++] = {code, position};
    if (count == room) cut();
  }
  /// The first k stay.
  void cut() {
    if (count < k) return;
    std::nth_element(items, items + k - 1, items + count);
    count = k;
    limit = items[k - 1].code;
    full = true;
  }
};

/// Each part of the input is read by a thread: read(begin, end, candidates). Then the first k of all candidates are
/// found. A part is longer than what is kept of it, unless there is but one.
template <class Key, class Read>
void select_from_parts(const TopK::ArgsOf<Key>& a, Context& ctx, const Read& read) {
  constexpr std::int64_t kLeastRoom = 1 << 10;  // so that few keys are not looked through all the time
  constexpr std::int64_t kLeastPart = 1 << 15;
  constexpr std::int64_t kPartsPerThread = 2;  // so that a slow thread does not hold up all
  const std::int64_t wanted = 2 * a.k + kLeastRoom;
  const std::int64_t parts =
      std::clamp<std::int64_t>(a.n / std::max(kLeastPart, 4 * wanted), 1, kPartsPerThread * most_workers());
  const std::int64_t size = (a.n + parts - 1) / parts, room = std::min(wanted, size + 1);
  auto* items = ctx.scratch<CodeAt<Key>>(parts * room);
  auto* counts = ctx.scratch<std::int64_t>(parts);
  parallel_for(parts, {}, [&](std::int64_t first, std::int64_t last, int) {
    for (std::int64_t part = first; part < last; ++part) {
      Candidates<Key> candidates{items + part * room, a.k, room};
      read(part * size, std::min(a.n, (part + 1) * size), candidates);
      candidates.cut();
      counts[part] = candidates.count;
    }
  });
  std::int64_t count = 0;
  for (std::int64_t part = 0; part < parts; ++part) {
    std::copy_n(items + part * room, counts[part], items + count);
    count += counts[part];
  }
  take_first(a, items, count);
}

}  // namespace tandem
