// Wrong:   all calls use the same half of the room: a rank that is ahead stores over what a slower one still reads.
// Caught:  the second call, by the race detector and by random schedules.

#include "tests/wrong/all_reduce/detail/one_shot.cuh"

namespace tandem {
namespace {

struct SingleHalf : RightOneShot {
  __device__ static std::uint64_t half(std::uint64_t) { return 0; }
};

template <class C>
void single_half(const typename C::Args& a, Context& ctx) {
  one_shot_with<C, SingleHalf>(a, ctx);
}

REGISTER(AllReduce, single_half, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
