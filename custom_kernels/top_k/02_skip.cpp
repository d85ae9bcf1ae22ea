// Idea:    most runs of 64 keys hold no candidate. Vector instructions find that out without looking at one key by itself.
// New:     against threads, a run is asked as a whole whether any of its keys comes before the k-th so far; only where
//          one does, keys are looked at one by one.
// Expect:  the time of a read of the input, where k is much smaller than n.
// Limits:  keys that come in the opposite order are all candidates.

#include "custom_kernels/top_k/detail/candidates.h"
#include "lib/core/target_clones.h"

namespace tandem {
namespace {

constexpr std::int64_t kRun = 64;

/// Whether one of kRun keys comes before all whose code is `limit`.
template <bool kFloating, class Key>
TANDEM_CLONES bool any_before(const Key* keys, const KeyOrder<Key>& by, Key limit) {
  const KeyOrder<Key> order = by;
  Key any = 0;
#pragma omp simd reduction(| : any)
  for (std::int64_t i = 0; i < kRun; ++i) {
    any |= order.template code_of<kFloating>(keys[i]) < limit;
  }
  return any != 0;
}

template <class C>
void skip(const typename C::Args& a, Context& ctx) {
  using Key = typename C::Key;
  constexpr bool kFloating = TypeTraits<typename C::T>::floating;
  select_from_parts(a, ctx, [&](std::int64_t begin, std::int64_t end, Candidates<Key>& candidates) {
    for (std::int64_t first = begin; first < end; first += kRun) {
      const std::int64_t last = std::min(end, first + kRun);
      if (candidates.full && last - first == kRun &&
          !any_before<kFloating>(a.in + first, a.order, candidates.limit))
        continue;
      for (std::int64_t i = first; i < last; ++i) {
        const Key code = a.order.code(a.in[i]);
        if (candidates.takes(code)) candidates.add(code, i);
      }
    }
  });
}

REGISTER(TopK, skip, .note = "runs of keys without a candidate are skipped by vector instructions")

}  // namespace
}  // namespace tandem
