// Idea:    a block scans a tile by segments, and learns by look-back how many runs begin before it and what they have of the
//          one that goes on into it. Where a run begins, the one before it is complete: there its value is written, beside
//          the key of the new one.
// New:     against flags_scan_reduce, one launch reads each key and element once, and nothing but results is written. Count
//          and value travel together. While one warp looks back, all put keys and values side by side into shared memory, so
//          that they leave as whole lines. A run's value is known where the next one begins, so no tile looks at keys behind
//          its end. The numbers of runs before a thread's four packs are scanned as the four bytes of one word.
// Expect:  the bytes of keys and elements, read, and of results, written: at runs of 8 an eighth more than a read.
// Limits:  blocks must start in index order. How far a tile looks back depends on timing, so floating-point sums of runs
//          across tiles may differ in the last bits from run to run.
// Source:  Merrill, Garland 2016, "Single-pass parallel prefix scan with decoupled look-back".

#include "custom_kernels/reduce_by_key/detail/runs.cuh"
#include "custom_kernels/segmented_scan/detail/rows.cuh"
#include "lib/ops/reduce_by_key/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/look_back.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256, kResident = 4;  // blocks on a multiprocessor, at least
constexpr int kWarps = kThreads / kWarp;
template <class Acc, class Word>
constexpr int kTile = kThreads* kRows* detail::kPackOf<Acc, Word>;

/// How many runs begin before each of a thread's packs, in its warp. heads: as KeyHeads::of says.
template <int kPack>
struct RowCounts {
  int before[kRows];
  int total = 0;  // of the warp

  /// Called by a warp: a row has at most 128 beginnings, which a byte holds.
  __device__ explicit RowCounts(unsigned heads) {
    static_assert(kRows == 4 && kPack <= 4);
    std::uint32_t own = 0;
#pragma unroll
    for (int r = 0; r < kRows; ++r)
      own |= std::uint32_t(__popc(heads >> (r * kPack) & ((1u << kPack) - 1))) << (8 * r);
    const std::uint32_t through = warp_inclusive_scan<Plus>(own), of_rows = shuffle(through, kWarp - 1);
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      before[r] = total + int((through - own) >> (8 * r) & 0xff);
      total += int(of_rows >> (8 * r) & 0xff);
    }
  }
};

template <class C, class Word, bool kWhole>
__device__ void reduce_tile(const typename C::Args& a, const Keys<Word>& keys, const RowTile& tile,
                            unsigned epoch, Descriptor<Runs<typename C::Acc>>* descriptors,
                            Shared<Word, kTile<typename C::Acc, Word>>& tile_keys,
                            Shared<typename C::Acc, kTile<typename C::Acc, Word>>& tile_values) {
  using Acc = typename C::Acc;
  using Op = typename C::Op;
  using Join = JoinRuns<Op>;
  constexpr int kPack = detail::kPackOf<Acc, Word>;
  __shared__ Shared<Part<Acc>, kWarps> totals;
  __shared__ Shared<int, kWarps> counts;
  __shared__ Shared<Acc, 1> value_before_tile;
  __shared__ Shared<std::int64_t, 1> runs_before_tile;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const Rows<kPack, kWhole> rows{tile};
  Pack<Acc, kPack> packs[kRows];
  Pack<Word, kPack> of_keys[kRows];
  rows.load(a.in, true, Op::template identity<Acc>(), packs);
  const unsigned heads = KeyHeads<Word>{keys}.of(rows, of_keys);
  RowScan<Acc> scan;
  scan.template scan<Op>(packs, heads);
  const RowCounts<kPack> row_counts(heads);
  if (lane == 0) totals[warp] = scan.total, counts[warp] = row_counts.total;
  __syncthreads();

  Part<Acc> before{Op::template identity<Acc>(), false}, total = before;
  int runs_before = 0, runs = 0;
#pragma unroll
  for (int w = 0; w < kWarps; ++w) {
    if (w == warp) before = total, runs_before = runs;
    total = Segmented<Op>{}(total, totals[w]);
    runs += counts[w];
  }
  if (warp == 0) {
    const Runs<Acc> prefix = publish_and_look_back<Join>(
        descriptors, blockIdx.x, epoch, Runs<Acc>(total.value, runs), Join::template identity<Runs<Acc>>());
    if (lane == 0) value_before_tile[0] = prefix.value, runs_before_tile[0] = prefix.count();
  }
  // Where a run begins: its key, and what the one before it has in the tile.
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    Acc running = scan.open >> r & 1 ? Op{}(before.value, scan.before[r]) : scan.before[r];
    int place = runs_before + row_counts.before[r];
#pragma unroll
    for (int k = 0; k < kPack; ++k) {
      const Acc x = packs[r].values[k];
      if (heads >> (r * kPack + k) & 1) {
        tile_keys[place] = of_keys[r].values[k];
        tile_values[place++] = running;
        running = x;
      } else {
        running = Op{}(running, x);
      }
    }
  }
  __syncthreads();
  const std::int64_t first = runs_before_tile[0];
  const Acc value_before = value_before_tile[0];
  Word* const keys_out = static_cast<Word*>(a.keys_out) + first;
  Acc* const out = a.out + first - 1;
  for (int j = threadIdx.x; j < runs; j += kThreads) {
    keys_out[j] = tile_keys[j];
    if (j > 0)
      out[j] = tile_values[j];
    else if (first > 0)
      out[0] = Op{}(value_before, tile_values[0]);
  }
  if (threadIdx.x == 0 && blockIdx.x == gridDim.x - 1) {
    out[runs] = runs > 0 ? total.value : Op{}(value_before, total.value);
    *a.count = first + runs;
  }
}

template <class C, class Word>
__global__ void __launch_bounds__(kThreads, kResident)
    lookback_runs(typename C::Args a, Keys<Word> keys, int shift, Epochs* state,
                  Descriptor<Runs<typename C::Acc>>* descriptors) {
  constexpr int kSize = kTile<typename C::Acc, Word>;
  __shared__ Shared<Word, kSize> tile_keys;
  __shared__ Shared<typename C::Acc, kSize> tile_values;
  start_early();
  const unsigned epoch = state->running();
  const RowTile tile(kSize, shift, 0, a.n);
  if (tile.from == 0 && tile.to == kSize)
    reduce_tile<C, Word, true>(a, keys, tile, epoch, descriptors, tile_keys, tile_values);
  else
    reduce_tile<C, Word, false>(a, keys, tile, epoch, descriptors, tile_keys, tile_values);
  if (threadIdx.x == 0) state->finish_block(epoch);
}

template <class C>
void lookback(const typename C::Args& a, Context& ctx) {
  using Acc = typename C::Acc;
  with_keys(a.keys, [&]<class Word>(const Keys<Word>& keys) {
    constexpr int kBytes = sizeof(*a.in), kPackBytes = detail::kPackOf<Acc, Word> * kBytes;
    const int shift = int(reinterpret_cast<std::uintptr_t>(a.in) % kPackBytes / kBytes);
    const std::int64_t tiles = ceil_div(shift + a.n, kTile<Acc, Word>);
    auto* memory = ctx.state<std::byte>("reduce_by_key/lookback", lookback_bytes<Runs<Acc>>(tiles));
    launch_early(ctx, tiles, kThreads, 0, lookback_runs<C, Word>, a, keys, shift,
                 reinterpret_cast<Epochs*>(memory), descriptors_in<Runs<Acc>>(memory));
  });
}

// At worst what lies before each tile is added to the total of the next one, in a chain.
REGISTER(
    ReduceByKey, lookback, .note = "one pass: counts and values looked back for together",
    .depth = [](std::int64_t n) { return static_cast<double>(n) / (kThreads * kRows * 2) + 64; },
    .repeats = false)

}  // namespace
}  // namespace tandem
