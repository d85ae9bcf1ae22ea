// Idea:    put the k-th item where it belongs, with all that come before it in front of it, as quicksort would do that
//          only looks at the part that holds the k-th; then sort these k. An item is a key's code with its position, so
//          that no two are equal.
// Expect:  some 3 n comparisons and k log2(k), and an item of 16 bytes for each key.
// Limits:  one core; writes n items to find k.
// Source:  Hoare 1961, "Algorithm 65: find"; Musser 1997, "Introspective sorting and selection algorithms".

#include "custom_kernels/top_k/detail/first_items.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context& ctx) {
  take_first(a, codes_with_positions(a, ctx), a.n);
}

REGISTER(TopK, serial, .note = "std::nth_element of codes with positions, then a sort of the k")

}  // namespace
}  // namespace tandem
