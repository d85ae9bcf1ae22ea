// Idea:    scan's one pass: a block scans a tile on chip and learns by look-back what lies before it. Here a tile in which a
//          segment begins knows already what those behind it ask for.
// New:     against pairs, one launch reads each element once, and no flag ever reaches the memory: keys are compared with
//          their neighbours in registers, offsets become a byte for each element of the tile in shared memory. A tile with
//          the beginning of a segment publishes its total as a prefix at once, at which every look-back ends: segments
//          shorter than a tile mean that no tile waits for more than the one before it. In a warp no flags are moved either:
//          the nearest lane that begins a segment is found in a vote, and says how far down the scan of values looks.
// Expect:  the bytes of a copy, and of the keys or offsets.
// Limits:  blocks must start in index order. How far a tile looks back depends on timing, so floating-point sums may differ
//          in the last bits from run to run. Thousands of empty segments in one place are the work of one block.
// Source:  Merrill, Garland 2016, "Single-pass parallel prefix scan with decoupled look-back"; Sengupta, Harris, Zhang, Owens
//          2007, "Scan primitives for GPU computing" (segmented scan).

#include "custom_kernels/segmented_scan/detail/marks.cuh"
#include "tandem/device/launch.cuh"
#include "tandem/device/look_back.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
template <class... T>
constexpr int kTile = kThreads* kRows* detail::kPackOf<T...>;

/// Called by a block: results of a tile. heads: bit r·kPack + k is set where a segment begins with element k of row r.
template <class C, bool kExclusive, int kPack, bool kWhole>
__device__ void scan_tile(const typename C::Args& a, const Rows<kPack, kWhole>& rows, unsigned heads,
                          const Pack<typename C::Acc, kPack> (&packs)[kRows], unsigned epoch,
                          Descriptor<typename C::Acc>* descriptors) {
  using T = typename C::T;
  using Acc = typename C::Acc;
  using Op = typename C::Op;
  __shared__ Shared<Part<Acc>, kWarps> totals;
  __shared__ Shared<Acc, 1> tile_prefix;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  RowScan<Acc> scan;
  scan.template scan<Op>(packs, heads);
  if (lane == 0) totals[warp] = scan.total;
  __syncthreads();
  if (warp == 0) {
    Part<Acc> total = totals[0];
#pragma unroll
    for (int w = 1; w < kWarps; ++w) total = Segmented<Op>{}(total, totals[w]);
    Acc prefix = Op::template identity<Acc>();
    if (!total.begins) {
      prefix = publish_and_look_back<Op>(descriptors, blockIdx.x, epoch, total.value);
    } else {
      if (lane == 0) descriptors[blockIdx.x].publish(total.value, 2 * epoch + 1);
      const bool begins_at_once = shuffle(heads & 1, 0);
      if (!begins_at_once && blockIdx.x > 0) prefix = look_back<Op>(descriptors, blockIdx.x, epoch);
    }
    if (lane == 0) tile_prefix[0] = prefix;
  }
  __syncthreads();
  Part<Acc> before{tile_prefix[0], false};
  for (int w = 0; w < warp; ++w) before = Segmented<Op>{}(before, totals[w]);

  T* const out = a.out + rows.tile.begin;
  const bool aligned = reinterpret_cast<std::uintptr_t>(out) % sizeof(Pack<T, kPack>) == 0;
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    Acc running = scan.open >> r & 1 ? Op{}(before.value, scan.before[r]) : scan.before[r];
    if constexpr (kExclusive) running = a.behind_init(running);
    Pack<T, kPack> results;
#pragma unroll
    for (int k = 0; k < kPack; ++k) {
      if (heads >> (r * kPack + k) & 1) running = kExclusive ? a.init : Op::template identity<Acc>();
      const Acc next = Op{}(running, packs[r].values[k]);
      results.values[k] = C::result(kExclusive ? running : next);
      running = next;
    }
    if (aligned && rows.pack_inside(r)) {
      *reinterpret_cast<Pack<T, kPack>*>(out + rows.place(r)) = results;
      continue;
    }
#pragma unroll
    for (int k = 0; k < kPack; ++k) {
      if (rows.inside(rows.place(r) + k)) out[rows.place(r) + k] = results.values[k];
    }
  }
}

/// Calls work with the rows of the block's tile.
template <int kPack, class Work>
__device__ void with_rows(const RowTile& tile, const Work& work) {
  if (tile.from == 0 && tile.to == kThreads * kRows * kPack)
    work(Rows<kPack, true>{tile});
  else
    work(Rows<kPack, false>{tile});
}

template <class C, bool kExclusive, class Word>
__global__ void __launch_bounds__(kThreads)
    lookback_keys(typename C::Args a, Keys<Word> keys, int shift, Epochs* state,
                  Descriptor<typename C::Acc>* descriptors) {
  using Acc = typename C::Acc;
  constexpr int kPack = detail::kPackOf<Acc, Word>;
  start_early();
  const unsigned epoch = state->running();
  const RowTile tile(kTile<Acc, Word>, shift, 0, a.segments.n);
  with_rows<kPack>(tile, [&]<bool kWhole>(const Rows<kPack, kWhole>& rows) {
    Pack<Acc, kPack> packs[kRows];
    Pack<Word, kPack> of_keys[kRows];
    rows.load(a.in, true, C::Op::template identity<Acc>(), packs);
    const unsigned heads = KeyHeads<Word>{keys}.of(rows, of_keys);
    scan_tile<C, kExclusive>(a, rows, heads, packs, epoch, descriptors);
  });
  if (threadIdx.x == 0) state->finish_block(epoch);
}

template <class C, bool kExclusive>
__global__ void __launch_bounds__(kThreads) lookback_segments(typename C::Args a, int shift, Epochs* state,
                                                              Descriptor<typename C::Acc>* descriptors) {
  using Acc = typename C::Acc;
  constexpr int kPack = detail::kPackOf<Acc>;
  __shared__ Shared<Pack<std::uint8_t, kPack>, kTile<Acc> / kPack> marks;
  __shared__ Shared<std::int64_t, 1> first_segment;
  start_early();
  const unsigned epoch = state->running();
  const RowTile tile(kTile<Acc>, shift, a.segments.from(), a.segments.to());
  with_rows<kPack>(tile, [&]<bool kWhole>(const Rows<kPack, kWhole>& rows) {
    Pack<Acc, kPack> packs[kRows];
    rows.load(a.in, true, C::Op::template identity<Acc>(), packs);
    const SegmentHeads segments{a.segments};
    segments.mark<kThreads, kPack>(tile, marks, first_segment);
    scan_tile<C, kExclusive>(a, rows, segments.of(rows, marks), packs, epoch, descriptors);
  });
  if (threadIdx.x == 0) state->finish_block(epoch);
}

/// Whether a scan is exclusive is known to the compiler: an inclusive one has no initial value to keep in registers.
template <class C, bool kExclusive>
void launch_lookback(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  using Acc = typename C::Acc;
  const auto launch_tiles = [&](int pack, auto start) {
    const int shift = int(reinterpret_cast<std::uintptr_t>(a.in) % (pack * sizeof(T)) / sizeof(T));
    const std::int64_t tiles = ceil_div(shift + a.segments.n, kThreads * kRows * pack);
    auto* memory = ctx.state<std::byte>("segmented_scan/lookback", lookback_bytes<Acc>(tiles));
    start(tiles, shift, reinterpret_cast<Epochs*>(memory), descriptors_in<Acc>(memory));
  };
  if (a.segments.form == SegmentedScan::Form::keys) {
    with_keys(a.segments.keys, [&]<class Word>(const Keys<Word>& keys) {
      launch_tiles(detail::kPackOf<Acc, Word>,
                   [&](std::int64_t tiles, int shift, Epochs* state, auto* descriptors) {
                     launch_early(ctx, tiles, kThreads, 0, lookback_keys<C, kExclusive, Word>, a, keys, shift,
                                  state, descriptors);
                   });
    });
  } else {
    launch_tiles(detail::kPackOf<Acc>, [&](std::int64_t tiles, int shift, Epochs* state, auto* descriptors) {
      launch_early(ctx, tiles, kThreads, 0, lookback_segments<C, kExclusive>, a, shift, state, descriptors);
    });
  }
}

template <class C>
void lookback(const typename C::Args& a, Context& ctx) {
  a.exclusive ? launch_lookback<C, true>(a, ctx) : launch_lookback<C, false>(a, ctx);
}

// At worst what lies before each tile is added to the total of the next one, in a chain.
REGISTER(
    SegmentedScan, lookback, .note = "one pass: a tile in which a segment begins ends the look-back",
    .depth = [](std::int64_t n) { return static_cast<double>(n) / (kThreads * kRows * 2) + 64; },
    .repeats = false)

}  // namespace
}  // namespace tandem
