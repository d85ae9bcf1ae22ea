// Wrong:   no fence stands between the flag that was seen and the data that are read.
// Caught:  every run gives the right sums; the race detector sees that nothing orders the stores and the reads.

#include "tests/wrong/all_reduce/detail/one_shot.cuh"

namespace tandem {
namespace {

struct MissingAcquire : RightOneShot {
  __device__ static void wait(const Peers& peers, std::uint64_t call) {
    if (speaks(peers)) spin_until([&] { return load_system(told_here(peers)) >= call; });
    __syncthreads();
  }
};

template <class C>
void missing_acquire(const typename C::Args& a, Context& ctx) {
  one_shot_with<C, MissingAcquire>(a, ctx);
}

REGISTER(AllReduce, missing_acquire, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
