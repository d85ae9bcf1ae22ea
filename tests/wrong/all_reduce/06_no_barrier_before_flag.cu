// Wrong:   the threads that set the flags do not wait for the others of their block, whose stores may come later.
// Caught:  the race detector, and schedules in which the first warp is far ahead.

#include "tests/wrong/all_reduce/detail/one_shot.cuh"

namespace tandem {
namespace {

struct NoBarrierBeforeFlag : RightOneShot {
  __device__ static void tell(const Peers& peers, std::uint64_t call) {
    if (!speaks(peers)) return;
    __threadfence_system();
    store_system(told_there(peers), call);
  }
};

template <class C>
void no_barrier_before_flag(const typename C::Args& a, Context& ctx) {
  one_shot_with<C, NoBarrierBeforeFlag>(a, ctx);
}

REGISTER(AllReduce, no_barrier_before_flag, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
