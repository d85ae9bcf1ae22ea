// Idea:    a segmented scan is a scan: of pairs of a value and a flag, 1 where a segment begins, under an operator that
//          forgets what lies before a flag. Mark the flags, make pairs, scan them, take the values.
// New:     against thread_per_segment, lengths no longer matter, and runs of keys are segments like others. The scan is that
//          of the scan ladder: tiles of 256, whose totals are scanned by the same kernel.
// Expect:  a pair is twice as large as a value or more, and is written, read and written again: some ten words for each
//          element, a fifth of the speed of a copy at best.
// Limits:  six launches for two levels, and scratch memory for two pairs of each element.
// Source:  Schwartz 1980, "Ultracomputers"; Blelloch 1990, "Prefix sums and their applications", section 1.5.

#include "custom_kernels/scan/detail/levels.cuh"
#include "custom_kernels/segmented_scan/detail/segmented.h"
#include "lib/ops/segmented_scan/contract.h"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;

/// As scan_in_levels asks.
template <class C>
struct PairScan {
  using T = Part<typename C::Acc>;
  using Op = Segmented<typename C::Op>;
  struct Args {
    const T* in;
    std::int64_t n;
    T* out;
    bool exclusive;
    T init;
  };
};

__device__ std::int64_t index() { return std::int64_t(blockIdx.x) * kThreads + threadIdx.x; }

/// `flags` are 0 before.
__global__ void mark_segments(SegmentedScan::Layout segments, std::uint8_t* flags) {
  const std::int64_t s = index();
  if (s < segments.count && segments.begin(s) < segments.end(s)) flags[segments.begin(s)] = 1;
}
template <class Word>
__global__ void mark_runs(Keys<Word> keys, std::int64_t n, std::uint8_t* flags) {
  if (index() < n) flags[index()] = keys.begins(index());
}

template <class C>
__global__ void make_pairs(typename C::Args a, const std::uint8_t* flags, Part<typename C::Acc>* pairs) {
  const std::int64_t i = index();
  if (i < a.segments.n) pairs[i] = {C::load(a.in[i]), flags[i] != 0};
}

/// Block b scans tile b.
template <class C>
__global__ void scan_pairs(const Part<typename C::Acc>* in, std::int64_t n, Part<typename C::Acc>* out,
                           bool exclusive, Part<typename C::Acc> init, Part<typename C::Acc>* totals) {
  using Pair = Part<typename C::Acc>;
  using Op = Segmented<typename C::Op>;
  __shared__ Shared<Pair, kWarps> warp_totals;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const Pair through = warp_inclusive_scan<Op>(index() < n ? in[index()] : Op::template identity<Pair>());
  const Pair below = shuffle_up(through, 1);
  if (lane == kWarp - 1) warp_totals[warp] = through;
  __syncthreads();
  Pair before = Op::template identity<Pair>();
  for (int w = 0; w < warp; ++w) before = Op{}(before, warp_totals[w]);
  if (threadIdx.x == kThreads - 1) totals[blockIdx.x] = Op{}(before, through);
  before = Op{}(init, before);
  if (index() < n)
    out[index()] = !exclusive ? Op{}(before, through) : lane == 0 ? before : Op{}(before, below);
}

template <class C>
__global__ void take_values(typename C::Args a, const std::uint8_t* flags,
                            const Part<typename C::Acc>* pairs) {
  const std::int64_t i = index();
  if (i < a.segments.from() || i >= a.segments.to()) return;
  if (!a.exclusive)
    a.out[i] = C::result(pairs[i].value);
  else
    a.out[i] = C::result(flags[i] ? a.init : a.behind_init(pairs[i - 1].value));
}

template <class C>
void pairs(const typename C::Args& a, Context& ctx) {
  using Pair = Part<typename C::Acc>;
  const std::int64_t n = a.segments.n, blocks = ceil_div(n, kThreads);
  auto* const flags = ctx.scratch<std::uint8_t>(n);
  auto* const values = ctx.scratch<Pair>(n);
  auto* const scanned = ctx.scratch<Pair>(n);
  if (a.segments.form == SegmentedScan::Form::keys) {
    with_keys(a.segments.keys, [&]<class Word>(const Keys<Word>& keys) {
      launch(ctx, blocks, kThreads, 0, mark_runs<Word>, keys, n, flags);
    });
  } else {
    ctx.fill(flags, 0, static_cast<std::size_t>(n));
    launch(ctx, ceil_div(a.segments.count, kThreads), kThreads, 0, mark_segments, a.segments, flags);
  }
  launch(ctx, blocks, kThreads, 0, make_pairs<C>, a, static_cast<const std::uint8_t*>(flags), values);
  scan_in_levels<PairScan<C>>(
      {values, n, scanned, false, Segmented<typename C::Op>::template identity<Pair>()}, ctx, kThreads,
      kThreads, 0, scan_pairs<C>);
  launch(ctx, blocks, kThreads, 0, take_values<C>, a, static_cast<const std::uint8_t*>(flags),
         static_cast<const Pair*>(scanned));
}

// Roundings per level: 5 in a warp, one for each of its neighbours, init (of the segment, at the end), and the
// totals before the tile.
REGISTER(SegmentedScan, pairs, .note = "a scan of pairs {value, flag}: the textbook's segmented scan",
         .depth = depth_of_levels<kThreads, 5 + kWarps + 2>)

}  // namespace
}  // namespace tandem
