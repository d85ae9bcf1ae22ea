#pragma once
// scan for operators of the user's own.

#include "tandem/device/look_back.cuh"
#include "tandem/functors/operands.cuh"
#include "tandem/scan.h"

namespace tandem::detail {

constexpr int kOwnScanThreads = 256, kOwnScanWarps = kOwnScanThreads / kWarp;
/// Packs of a thread: about 128 bytes of operands, which stay in registers, but one at least.
template <class Operand, int kCount>
constexpr int kOwnScanRows = std::max<int>(1,
                                           (128 + kCount * sizeof(Operand) / 2) / (kCount * sizeof(Operand)));

/// Whether `x` is the same whatever lies before it: an operator says so by a member of this name.
template <class O>
__device__ bool forgets_before(const O& op, const typename O::Operand& x) {
  if constexpr (requires { op.op.forgets_before(O::value(x)); })
    return op.op.forgets_before(O::value(x));
  else
    return false;
}

/// What own_scan_tile does with its results. It scans elements [begin(), end()); x is op over all that comes before element i or, unless
/// kExclusive, it, too. kElementwise: out[i] = result(i, x), else write(i, x). Here: a plain scan.
template <bool kIsExclusive, class A, class Out>
struct ScannedElements {
  static constexpr bool kExclusive = kIsExclusive, kElementwise = true;
  std::int64_t n;
  Out* out;
  __device__ std::int64_t begin() const { return 0; }
  __device__ std::int64_t end() const { return n; }
  __device__ Out result(std::int64_t, const A& x) const { return static_cast<Out>(x); }
};

/// As scan/custom/lookback: a block scans a tile in rows of a pack per lane and gets what lies before it by look-back.
/// kAligned: packs of `in` and the results are.
template <bool kAligned, int kCount, class O, class T, class Results>
__global__ void __launch_bounds__(kOwnScanThreads, 2)
    own_scan_tile(O op, const T* in, Results results, Epochs* state,
                  Descriptor<typename O::Operand>* descriptors) {
  using Operand = typename O::Operand;
  constexpr int kRows = kOwnScanRows<Operand, kCount>;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  start_early();
  const unsigned epoch = state->running();
  const std::int64_t first =
      ((std::int64_t(blockIdx.x) * kOwnScanWarps + warp) * kRows * kWarp + lane) * kCount;
  const std::int64_t begin = results.begin(), end = results.end();
  Operand items[kRows][kCount];
#pragma unroll
  for (int r = 0; r < kRows; ++r)
    load_operands<kAligned>(op, in, first + r * kWarp * kCount, begin, end, items[r]);

  Operand warp_total = op.template identity<Operand>();
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    Operand pack_total = items[r][0];
#pragma unroll
    for (int k = 1; k < kCount; ++k) pack_total = op(pack_total, items[r][k]);
    const Operand through = warp_inclusive_scan(pack_total, op);
    const Operand below = shuffle_up(through, 1);
    Operand running = lane == 0 ? warp_total : op(warp_total, below);
#pragma unroll
    for (int k = 0; k < kCount; ++k) {
      const Operand next = op(running, items[r][k]);
      items[r][k] = Results::kExclusive ? running : next;
      running = next;
    }
    warp_total = op(warp_total, shuffle(through, kWarp - 1));
  }

  __shared__ Shared<Operand, kOwnScanWarps> warp_totals;
  __shared__ Shared<Operand, 1> tile_prefix;
  if (lane == 0) warp_totals[warp] = warp_total;
  __syncthreads();
  if (warp == 0) {
    Operand total = warp_totals[0];
#pragma unroll
    for (int w = 1; w < kOwnScanWarps; ++w) total = op(total, warp_totals[w]);
    Operand prefix = op.first;
    if (!forgets_before(op, total)) {
      prefix = publish_and_look_back(descriptors, blockIdx.x, epoch, total, op.first, op);
    } else {  // the tiles behind need not wait
      if (lane == 0) descriptors[blockIdx.x].publish(total, 2 * epoch + 1);
      if (blockIdx.x > 0) prefix = look_back(descriptors, blockIdx.x, epoch, op);
    }
    if (lane == 0) tile_prefix[0] = prefix;
  }
  __syncthreads();
  Operand before = tile_prefix[0];
  for (int w = 0; w < warp; ++w) before = op(before, warp_totals[w]);

#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const std::int64_t i = first + r * kWarp * kCount;
    const auto scanned = [&](int k) { return O::value(op(before, items[r][k])); };
    if constexpr (Results::kElementwise) {
      if (kAligned && i >= begin && i + kCount <= end) {
        Pack<std::remove_pointer_t<decltype(results.out)>, kCount> pack;
#pragma unroll
        for (int k = 0; k < kCount; ++k) pack.values[k] = results.result(i + k, scanned(k));
        *reinterpret_cast<decltype(pack)*>(results.out + i) = pack;
        continue;
      }
    }
#pragma unroll
    for (int k = 0; k < kCount; ++k) {
      if (i + k < begin || i + k >= end) continue;
      if constexpr (Results::kElementwise)
        results.out[i + k] = results.result(i + k, scanned(k));
      else
        results.write(i + k, scanned(k));
    }
  }
  if (threadIdx.x == 0) state->finish_block(epoch);
}

/// Its arguments are checked; `in` has n elements, of which each tile has some.
template <class A, class T, class Op, class Results>
void own_scan_tiles(Context& ctx, const T* in, std::int64_t n, const Op& op, const A* init,
                    const Results& results) {
  using O = KernelOperator<Op, A>;
  using Operand = typename O::Operand;
  constexpr int kCount = kPackOf<T, std::remove_pointer_t<decltype(results.out)>>;
  if (n == 0) return;
  const std::int64_t tiles = ceil_div(n, kOwnScanThreads * kOwnScanRows<Operand, kCount> * kCount);
  auto* memory = ctx.state<std::byte>("scan/own", lookback_bytes<Operand>(tiles));
  auto* kernel = is_pack_aligned<kCount>(in) && is_pack_aligned<kCount>(results.out)
                     ? own_scan_tile<true, kCount, O, T, Results>
                     : own_scan_tile<false, kCount, O, T, Results>;
  launch_early(ctx, tiles, kOwnScanThreads, 0, kernel, O(op, init), in, results,
               reinterpret_cast<Epochs*>(memory), descriptors_in<Operand>(memory));
}

template <class A, class T, class Out, class Op>
void own_scan_by_kernel(OnHostAndDevice, Context& ctx, const View<const T>& in, const View<Out>& out,
                        const Op& op, bool exclusive, const A* init) {
  const CallScope call(ctx, "scan/custom/lookback");
  if (exclusive)
    own_scan_tiles(ctx, in.data, in.size, op, init, ScannedElements<true, A, Out>{in.size, out.data});
  else
    own_scan_tiles(ctx, in.data, in.size, op, init, ScannedElements<false, A, Out>{in.size, out.data});
}

}  // namespace tandem::detail
