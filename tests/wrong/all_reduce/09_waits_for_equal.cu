// Wrong:   waits until the flag is this call's number, though a faster rank may have set the next one already.
// Caught:  schedules in which a rank misses the number and waits for ever.

#include "tests/wrong/all_reduce/detail/one_shot.cuh"

namespace tandem {
namespace {

struct WaitsForEqual : RightOneShot {
  __device__ static void wait(const Peers& peers, std::uint64_t call) {
    if (speaks(peers)) {
      spin_until([&] { return load_system(told_here(peers)) == call; });
      __threadfence_system();
    }
    __syncthreads();
  }
};

template <class C>
void waits_for_equal(const typename C::Args& a, Context& ctx) {
  one_shot_with<C, WaitsForEqual>(a, ctx);
}

REGISTER(AllReduce, waits_for_equal, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
