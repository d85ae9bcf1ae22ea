// Wrong:   each block counts its own calls: after a call of fewer blocks they disagree on which half is free.
// Caught:  a longer call behind a shorter one: a block stores into the half that a slower rank still reads.

#include "tests/wrong/all_reduce/detail/one_shot.cuh"

namespace tandem {
namespace {

struct CallOfBlock : RightOneShot {
  __device__ static std::uint64_t begin(const Peers& peers) {
    std::uint64_t* own = &peers.head(peers.rank)->told[1][blockIdx.x][0];  // not used by one_shot
    const std::uint64_t call = *own + 1;
    __syncthreads();
    if (threadIdx.x == 0) *own = call;
    return call;
  }
};

template <class C>
void call_of_block(const typename C::Args& a, Context& ctx) {
  one_shot_with<C, CallOfBlock>(a, ctx);
}

REGISTER(AllReduce, call_of_block, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
