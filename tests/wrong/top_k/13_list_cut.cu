// Wrong:   a list of candidates has room for 300, and the rest is lost.
// Caught:  k above the room.

#include "tests/wrong/top_k/digits.cuh"

namespace tandem {
namespace {

template <class C>
void list_cut(const typename C::Args& a, Context& ctx) {
  digits::select<digits::Mistake::list_cut, C>(a, ctx);
}

REGISTER(TopK, list_cut, .note = "wrong on purpose", .refuses = digits::too_long)

}  // namespace
}  // namespace tandem
