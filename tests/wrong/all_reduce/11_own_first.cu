// Wrong:   each rank begins with its own array, so the order of additions is another on every rank, and so are the last
//          bits.
// Caught:  sums of reals, which are compared bit by bit.

#include "tests/wrong/all_reduce/detail/one_shot.cuh"

namespace tandem {
namespace {

struct OwnFirst : RightOneShot {
  __device__ static int rank_in_order(const Peers& peers, int k) { return from_here(peers, k); }
};

template <class C>
void own_first(const typename C::Args& a, Context& ctx) {
  one_shot_with<C, OwnFirst>(a, ctx);
}

REGISTER(AllReduce, own_first, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
