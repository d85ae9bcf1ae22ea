// Wrong:   the flags are stored and loaded as words of one GPU (.gpu, not .sys).
// Caught:  every run gives the right sums; the race detector sees two ranks touch a word that is not the system's.

#include "tests/wrong/all_reduce/detail/one_shot.cuh"

namespace tandem {
namespace {

struct FlagOfDevice : RightOneShot {
  __device__ static void tell(const Peers& peers, std::uint64_t call) {
    __syncthreads();
    if (!speaks(peers)) return;
    __threadfence_system();
    store_relaxed(told_there(peers), call);
  }
  __device__ static void wait(const Peers& peers, std::uint64_t call) {
    if (speaks(peers)) {
      spin_until([&] { return load_relaxed(told_here(peers)) >= call; });
      __threadfence_system();
    }
    __syncthreads();
  }
};

template <class C>
void flag_of_device(const typename C::Args& a, Context& ctx) {
  one_shot_with<C, FlagOfDevice>(a, ctx);
}

REGISTER(AllReduce, flag_of_device, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
