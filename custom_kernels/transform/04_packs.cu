// Idea:    one thread per 16 bytes of results, and again one block for every part of the array.
// New:     against grid_stride, no loop: blocks start in the order of the array, so that the parts in work at
//          one time form one narrow front. Inputs whose alignment differs from that of the results are read
//          element by element, the results still written by packs. The grid starts early (launch_early).
// Expect:  the bandwidth of a copy.
// Limits:  one input of few bytes keeps fewer bytes in flight than staging could.
// Source:  Volkov 2010, "Better performance at lower occupancy", on bytes in flight.

#include <algorithm>

#include "lib/ops/transform/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/vector_access.cuh"

namespace tandem {
namespace {

// Threads of a block. Short arrays are spread over all multiprocessors; in long ones, several inputs bring
// enough loads per thread to hide the start of the next block, so fewer and larger blocks start.
constexpr int kThreadsShort = 128, kThreadsOneInput = 256, kThreadsMoreInputs = 1024;
constexpr int kShortPacks = 4096;  // per multiprocessor: two waves of threads

/// Thread t computes pack t behind the first `head` elements, from where on the results are aligned;
/// kAligned: the inputs too. The elements before the first pack and behind the last one fall to the first
/// threads.
template <class C, bool kAligned>
__global__ void packs_block(typename C::Args a, std::int64_t head) {
  start_early();
  using Pack = Pack<typename C::T>;
  const std::int64_t thread = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t packs = (a.n - head) / Pack::kSize, tail = head + packs * Pack::kSize;
  if (thread < packs) {
    const std::int64_t i = head + thread * Pack::kSize;
    Pack in[C::kInputs], out;
#pragma unroll
    for (int k = 0; k < C::kInputs; ++k) in[k] = load_pack<Pack, kAligned>(a.in[k] + i);
#pragma unroll
    for (int e = 0; e < Pack::kSize; ++e)
      out.values[e] = C::apply(a.f, [&](int k) { return in[k].values[e]; });
    *reinterpret_cast<Pack*>(a.out + i) = out;
  }
  if (thread < head) a.out[thread] = C::at(a, thread);
  if (thread < a.n - tail) a.out[tail + thread] = C::at(a, tail + thread);
}

template <class C>
void packs(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const std::int64_t head = unaligned_head(a.out, a.n);
  const bool aligned =
      std::all_of(a.in, a.in + C::kInputs, [&](const T* in) { return unaligned_head(in, a.n) == head; });
  const bool is_short = a.n / Pack<T>::kSize <= std::int64_t{kShortPacks} * ctx.multiprocessors();
  const int threads = is_short ? kThreadsShort : C::kInputs == 1 ? kThreadsOneInput : kThreadsMoreInputs;
  const std::int64_t blocks = std::max<std::int64_t>(1, ceil_div((a.n - head) / Pack<T>::kSize, threads));
  launch_early(ctx, blocks, threads, 0, aligned ? packs_block<C, true> : packs_block<C, false>, a, head);
}

REGISTER(Transform, packs, .note = "one thread per 16 bytes, blocks in the order of the array")

}  // namespace
}  // namespace tandem
