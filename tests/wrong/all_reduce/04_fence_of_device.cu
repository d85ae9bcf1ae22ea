// Wrong:   the fence before the flag is __threadfence(), which orders for the own GPU alone.
// Caught:  every run gives the right sums; the race detector knows whom a fence reaches.

#include "tests/wrong/all_reduce/detail/one_shot.cuh"

namespace tandem {
namespace {

struct FenceOfDevice : RightOneShot {
  __device__ static void tell(const Peers& peers, std::uint64_t call) {
    __syncthreads();
    if (!speaks(peers)) return;
    __threadfence();
    store_system(told_there(peers), call);
  }
};

template <class C>
void fence_of_device(const typename C::Args& a, Context& ctx) {
  one_shot_with<C, FenceOfDevice>(a, ctx);
}

REGISTER(AllReduce, fence_of_device, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
