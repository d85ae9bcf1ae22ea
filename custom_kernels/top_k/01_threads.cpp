// Idea:    a thread keeps the first k of its part of the input. Keys that come before the k-th of what was seen so far join
//          them; when there are twice as many as needed, the first k stay. At the end the first k of all parts'
//          candidates are found.
// New:     against serial, all cores, and no item for each key: of random keys the i-th is a candidate with a
//          probability of about k / i.
// Expect:  a read of the input, and a comparison for each key whose outcome is nearly always the same.
// Limits:  a key at a time; keys that come in the opposite order are all candidates.
// Source:  Knuth 1998, "The Art of Computer Programming", volume 3, section 5.3.3.

#include "custom_kernels/top_k/detail/candidates.h"

namespace tandem {
namespace {

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  using Key = typename C::Key;
  select_from_parts(a, ctx, [&](std::int64_t begin, std::int64_t end, Candidates<Key>& candidates) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Key code = a.order.code(a.in[i]);
      if (candidates.takes(code)) candidates.add(code, i);
    }
  });
}

REGISTER(TopK, threads, .note = "each thread keeps the first k of its part")

}  // namespace
}  // namespace tandem
