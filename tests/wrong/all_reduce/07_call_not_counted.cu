// Wrong:   every call has the number 1, so from the second on the flags of the first are taken for its own.
// Caught:  the second call: reads race with stores, and find the elements of the call before.

#include "tests/wrong/all_reduce/detail/one_shot.cuh"

namespace tandem {
namespace {

struct CallNotCounted : RightOneShot {
  __device__ static std::uint64_t begin(const Peers&) { return 1; }
};

template <class C>
void call_not_counted(const typename C::Args& a, Context& ctx) {
  one_shot_with<C, CallNotCounted>(a, ctx);
}

REGISTER(AllReduce, call_not_counted, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
