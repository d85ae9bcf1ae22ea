// Idea:    one launch. A warp takes the next row in the order of levels, and its lanes read neighbouring elements; a lane whose
//          element needs x of a row that is not solved yet waits until that row's warp has told it.
// New:     against levels_in_one, no row waits for a level, only for the rows that it needs. x goes from warp to warp in the
//          descriptors of look-back: value and tag arrive together, so there are no fences, and as the tag has the number
//          of the call, nothing is cleared between calls. A row's elements are read side by side, and like b before
//          the row waits: memory takes longer than a neighbour. Lanes that wait sleep between two looks, since most warps wait,
//          and come together again before they add up.
// Expect:  of a chain, the time in which a store of one multiprocessor reaches another, for each row; of wide levels, the
//          bandwidth of the memory for rows of tens of elements.
// Limits:  lanes of a short row have nothing to read. Blocks take their rows by a counter, so whichever block runs first has
//          the first rows, and no warp waits for one that has not begun. The call's number has 31 bits. State of 8 bytes
//          a row in f32 and 16 in f64.
// Source:  Liu, Li, Hogg, Duff, Vinter 2016, "A synchronization-free algorithm for parallel sparse triangular solves".

#include "lib/ops/sptrsv/contract.h"
#include "tandem/device/look_back.cuh"
#include "tandem/operators.h"

namespace tandem {
namespace {

constexpr int kThreads = 1024;
constexpr int kWarps = kThreads / kWarp;

struct Turns : Epochs {
  unsigned taken;

  /// Called by one thread of each block: 0, 1, 2, … in the order of the calls; the last one of a grid begins anew.
  __device__ unsigned take() { return atomicInc(&taken, gridDim.x - 1); }
};
static_assert(sizeof(Turns) <= kEpochBytes);

template <class C>
__global__ void __launch_bounds__(kThreads)
    sync_free_rows(typename C::Args a, Turns* turns, Descriptor<typename C::T>* solved) {
  using T = typename C::T;
  __shared__ Shared<unsigned, 1> turn;
  start_early();
  const unsigned epoch = turns->running();
  if (threadIdx.x == 0) turn[0] = turns->take();
  __syncthreads();
  const std::int64_t i = std::int64_t(turn[0]) * kWarps + threadIdx.x / kWarp;
  if (i < a.rows) {
    const std::int64_t r = a.order[i];
    const int lane = threadIdx.x % kWarp;
    const T b = lane == 0 ? a.b[r] : T(0);
    T sum = 0, diagonal = 0;
    const std::int64_t begin = a.offsets[r], end = a.offsets[r + 1], rounds = ceil_div(end - begin, kWarp);
    for (std::int64_t round = 0; round < rounds; ++round) {
      // Elements nearest to the diagonal come last: their x is known last.
      const std::int64_t k = begin + (a.upper ? rounds - 1 - round : round) * kWarp + lane;
      const std::int64_t j = k < end ? a.columns[k] : r;
      const bool needs = a.needs(r, j), divides = k < end && a.divides(r, j);
      const T value = needs || divides ? a.values[k] : T(0);
      if (needs) {
        T x;
        bool is_prefix;
        spin_slowly_until([&] { return solved[j].read(epoch, x, is_prefix); });
        sum += value * x;
      } else {
        diagonal += value;
      }
      __syncwarp();  // else each shuffle behind the loop waits for lanes one by one: 2.6 times as long for a level
    }
    sum = warp_reduce<Plus>(sum), diagonal = warp_reduce<Plus>(diagonal);
    if (lane == 0) {
      const T x = a.solved(r, sum, diagonal, b);
      solved[r].publish(x, 2 * epoch);
      a.x[r] = x;
    }
  }
  if (threadIdx.x == 0) turns->finish_block(epoch);
}

template <class C>
void sync_free(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  auto* memory = ctx.state<std::byte>("sptrsv/sync_free", lookback_bytes<T>(given.rows));
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    launch_early(ctx, ceil_div(a.rows, kWarps), kThreads, 0, sync_free_rows<K>, a,
                 reinterpret_cast<Turns*>(memory), descriptors_in<T>(memory));
  });
}

REGISTER(Sptrsv, sync_free, .note = "one launch: a warp for each row waits for those that it needs")

}  // namespace
}  // namespace tandem
