// Wrong:   the flags are set before the data are stored.
// Caught:  the reads of a rank race with the stores of another, and some schedules give wrong sums.

#include "tests/wrong/all_reduce/detail/one_shot.cuh"

namespace tandem {
namespace {

struct FlagBeforeData : RightOneShot {
  __device__ static void tell_before(const Peers& peers, std::uint64_t call) { tell_all(peers, 0, call); }
  __device__ static void tell(const Peers&, std::uint64_t) {}
};

template <class C>
void flag_before_data(const typename C::Args& a, Context& ctx) {
  one_shot_with<C, FlagBeforeData>(a, ctx);
}

REGISTER(AllReduce, flag_before_data, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
