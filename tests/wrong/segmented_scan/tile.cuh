#pragma once
// The kernel that wrong steps for the executor start from: blocks of one warp, which scan tiles of 32 in their order.

#include "custom_kernels/segmented_scan/detail/segmented.h"
#include "lib/ops/segmented_scan/contract.h"
#include "tandem/device/look_back.cuh"

namespace tandem {

/// Whether element i begins a segment; outside of all segments it does.
__device__ inline bool begins_segment(const SegmentedScan::Layout& segments, std::int64_t i) {
  if (i < segments.from() || i >= segments.to()) return true;
  if (segments.form == SegmentedScan::Form::keys) {
    bool begins = false;
    with_keys(segments.keys, [&](const auto& keys) { begins = keys.begins(i); });
    return begins;
  }
  for (std::int64_t s = 0; s < segments.count; ++s) {
    if (segments.begin(s) == i) return true;
  }
  return false;
}

/// Right where Way::totals_begin and Way::asks_before are true.
template <class C, class Way>
__global__ void scan_tile_of_32(typename C::Args a, Epochs* state, Descriptor<typename C::Acc>* descriptors) {
  using Acc = typename C::Acc;
  using Op = typename C::Op;
  const unsigned epoch = state->running();
  const std::int64_t i = std::int64_t(blockIdx.x) * kWarp + threadIdx.x;
  const bool inside = i >= a.segments.from() && i < a.segments.to();
  const bool begins = i >= a.segments.n || begins_segment(a.segments, i);
  const Part<Acc> own{inside ? C::load(a.in[i]) : Op::template identity<Acc>(), begins};
  const Part<Acc> through = warp_inclusive_scan<Segmented<Op>>(own);
  const Part<Acc> last = shuffle(through, kWarp - 1);
  Acc prefix = Op::template identity<Acc>();
  if (last.begins && Way::totals_begin) {
    if (threadIdx.x == 0) descriptors[blockIdx.x].publish(last.value, 2 * epoch + 1);
    if (blockIdx.x > 0 && Way::asks_before) prefix = look_back<Op>(descriptors, blockIdx.x, epoch);
  } else {
    prefix = publish_and_look_back<Op>(descriptors, blockIdx.x, epoch, last.value);
  }
  const Acc result = through.begins ? through.value : Op{}(prefix, through.value);
  const Part<Acc> below = shuffle_up(Part<Acc>{result, false}, 1);
  const Acc before = threadIdx.x > 0 ? below.value : prefix;
  if (inside) a.out[i] = C::result(!a.exclusive ? result : begins ? a.init : a.behind_init(before));
  __syncwarp();
  if (threadIdx.x == 0) state->finish_block(epoch);
}

template <class C, class Way>
void scan_tiles_of_32(const char* name, const typename C::Args& a, Context& ctx) {
  using Acc = typename C::Acc;
  const std::int64_t tiles = ceil_div(a.segments.n, kWarp);
  auto* memory = ctx.state<std::byte>(name, lookback_bytes<Acc>(tiles));
  launch(ctx, tiles, kWarp, 0, scan_tile_of_32<C, Way>, a, reinterpret_cast<Epochs*>(memory),
         descriptors_in<Acc>(memory));
}

/// Segments are looked for one after the other.
inline std::string refuse_many(const SegmentedScan::Shape& s, CaseId) { return s.n > 5000 ? "slow" : ""; }

}  // namespace tandem
