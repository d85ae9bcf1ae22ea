// Wrong:   no fence stands between the data and the flag behind them: over a link the flag may be there first.
// Caught:  every run gives the right sums; the race detector sees that nothing orders the stores and the reads.

#include "tests/wrong/all_reduce/detail/one_shot.cuh"

namespace tandem {
namespace {

struct MissingRelease : RightOneShot {
  __device__ static void tell(const Peers& peers, std::uint64_t call) {
    __syncthreads();
    if (speaks(peers)) store_system(told_there(peers), call);
  }
};

template <class C>
void missing_release(const typename C::Args& a, Context& ctx) {
  one_shot_with<C, MissingRelease>(a, ctx);
}

REGISTER(AllReduce, missing_release, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
