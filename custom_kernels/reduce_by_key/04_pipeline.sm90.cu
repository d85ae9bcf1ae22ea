// Idea:    select's pipeline: one persistent block per multiprocessor, in which a loader keeps a ring of tiles filled by bulk
//          copies. A warp finds where runs begin in its part of a tile and what it has of the last one; some rounds later,
//          when it is known what lies before the tile, it writes.
// New:     against lookback, tiles wait in shared memory, not in registers, and nobody waits while one is looked back for: up to
//          180 KB of keys and elements of a multiprocessor are in flight. A lane owns neighbouring elements, an odd number of
//          them, so that lanes meet in no bank: it goes from one to the next, and only what lanes have is scanned. Keys and values
//          of a warp's runs replace its elements in shared memory, side by side, so that they leave as whole lines.
// Expect:  the bytes of keys and elements, read, and of results, written; from some fifteen tiles per block on faster than lookback.
// Limits:  Hopper alone (sm_90a). All blocks must run at once, and a short input waits for whole tiles. Elements that are
//          accumulated in a wider type have no room for their results.
// Source:  scan/10_pipeline, select/06_pipeline; Merrill, Garland 2016 (descriptors).

#include "custom_kernels/reduce_by_key/detail/runs.cuh"
#include "lib/ops/reduce_by_key/contract.h"
#include "tandem/device/launch_together.cuh"
#include "tandem/device/round_totals.cuh"

namespace tandem {
namespace {

constexpr int kWarps = 16;  // that compute
constexpr int kLoader = kWarps, kPublisher = kWarps + 1, kGatherer = kWarps + 2;
constexpr int kThreads = (kGatherer + 1) * kWarp;
constexpr int kTileBytes = 44 << 10;            // of keys and elements, at most
constexpr int kAhead = 2, kSlots = kAhead + 2;  // rounds from the runs of a tile to its results
constexpr int kStages = kAhead + 2;

template <class T, class Word>
struct Form {
  static constexpr int kMost = kTileBytes / int((sizeof(T) + sizeof(Word)) * kWarps * kWarp);
  static constexpr int kOwn =
      kMost - (kMost % 2 == 0);  // elements of a lane: bits of `heads` say where runs begin
  static constexpr int kTile = kOwn * kWarps * kWarp;
  // A stage: elements, and keys behind a line whose last one lies before the tile. Both with up to a line of alignment.
  static constexpr int kLine = BulkPiece<Word>::kLine;
  static constexpr int kElementBytes = kTile * sizeof(T) + 128;
  static constexpr int kStageBytes = kElementBytes + (kLine + kTile + kLine) * sizeof(Word);
  static_assert(kOwn > 0 && kOwn <= 32);
};

/// What the warps of a block tell each other, in shared memory. Uses of the rings are numbered by rounds.
template <class Acc, class Op>
struct Exchange {
  MbarrierRing<kStages> loaded, written;  // a stage
  RoundTotals<Runs<Acc>, JoinRuns<Op>, kWarps, kSlots> totals;
  // Of each lane: bit i is set where a run begins at its element i; how many begin before it in its warp, and what those
  // lanes have of the run that goes on into it.
  std::uint32_t heads[kSlots][kWarps * kWarp];
  std::uint16_t runs_before[kSlots][kWarps * kWarp];
  Acc value_before[kSlots][kWarps * kWarp];
  int runs[kSlots][kWarps];

  /// Called by one thread.
  __device__ void init() {
    loaded.init(1 + kWarp);  // the bytes, and the lanes that add the ends
    written.init(kWarps);
    totals.init();
    fence_for_copies();
  }
};

/// What the warps do: each method is called by all lanes of a warp.
template <class C, class Word>
struct Roles {
  using T = typename C::T;
  using Op = typename C::Op;
  using Form = tandem::Form<T, Word>;
  using Shared = Exchange<T, Op>;
  static constexpr int kTile = Form::kTile, kOwn = Form::kOwn;

  typename C::Args a;
  Keys<Word> keys;
  int rounds;  // of this block

  __device__ static std::int64_t begin(int round) {
    return (std::int64_t{round} * gridDim.x + blockIdx.x) * kTile;
  }
  __device__ int count(int round) const { return int(min(std::int64_t{kTile}, a.n - begin(round))); }
  __device__ static std::byte* stage(int round) {
    return &dynamic_shared<std::byte>()[round % kStages * Form::kStageBytes];
  }
  /// Where a tile's elements, and their keys, begin in their stage.
  __device__ T* elements(int round) const {
    return reinterpret_cast<T*>(stage(round)) + BulkPiece<T>(a.in + begin(round), 0).shift;
  }
  __device__ Word* tile_keys(int round) const {
    return reinterpret_cast<Word*>(stage(round) + Form::kElementBytes) + Form::kLine +
           BulkPiece<Word>(keys.data + begin(round), 0).shift;
  }

  __device__ void load(Shared& shared) const {
    const int lane = threadIdx.x % kWarp;
    for (int k = 0; k < rounds; ++k) {
      if (k >= kStages) shared.written.wait(k - kStages);
      Mbarrier& loaded = shared.loaded[k];
      const BulkPiece<T> piece(a.in + begin(k), count(k));
      const BulkPiece<Word> of_keys(keys.data + begin(k), count(k));
      if (lane == 0) loaded.arrive_and_expect(piece.bytes() + of_keys.bytes());
      load_piece(elements(k), a.in + begin(k), piece, loaded);
      load_piece(tile_keys(k), keys.data + begin(k), of_keys, loaded);
      if (lane == 0) tile_keys(k)[-1] = begin(k) > 0 ? keys.data[begin(k) - 1] : Word(0);
      loaded.arrive();
    }
  }

  __device__ void compute(Shared& shared) const {
    for (int k = 0; k < rounds + kAhead; ++k) {
      if (k < rounds) {
        shared.loaded.wait(k);
        for_tile(k, [&]<bool kWhole>() { mark<kWhole>(shared, k); });
      }
      if (k >= kAhead) for_tile(k - kAhead, [&]<bool kWhole>() { write<kWhole>(shared, k - kAhead); });
    }
  }
  /// Of a whole tile nobody asks where the input ends.
  template <class Work>
  __device__ void for_tile(int round, const Work& work) const {
    count(round) == kTile ? work.template operator()<true>() : work.template operator()<false>();
  }

  /// Where runs begin, and what lanes have of their last one.
  template <bool kWhole>
  __device__ void mark(Shared& shared, int round) const {
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp, first = threadIdx.x * kOwn;
    const int left = count(round) - first;
    const T* const x = elements(round) + first;
    const Word* const key = tile_keys(round) + first;
    const bool begins_input = begin(round) + first == 0;
    Word last = kWhole || left > 0 ? key[-1] : Word(0);
    unsigned heads = 0;
    T through = Op::template identity<T>();
#pragma unroll
    for (int i = 0; i < kOwn; ++i) {
      if (!kWhole && i >= left) continue;
      const Word here = key[i];
      const bool head = !keys.same(last, here) || (i == 0 && begins_input);
      heads |= unsigned(head) << i;
      through = head ? x[i] : Op{}(through, x[i]);
      last = here;
    }
    const int own = __popc(heads), runs = warp_inclusive_scan<Plus>(own);
    // A lane looks down as far as to the nearest one in which a run begins.
    const unsigned begun = __ballot_sync(kAllLanes, heads != 0) & (kAllLanes >> (kWarp - 1 - lane));
    const int nearest = begun ? kWarp - 1 - __clz(int(begun)) : 0;
#pragma unroll
    for (int distance = 1; distance < kWarp; distance *= 2) {
      const T below = shuffle_up(through, distance);
      if (lane - distance >= nearest) through = Op{}(below, through);
    }
    const T below = shuffle_up(through, 1);
    const int slot = round % kSlots;
    shared.heads[slot][threadIdx.x] = heads;
    shared.runs_before[slot][threadIdx.x] = std::uint16_t(runs - own);
    shared.value_before[slot][threadIdx.x] = lane == 0 ? Op::template identity<T>() : below;
    __syncwarp();
    if (lane == kWarp - 1) {
      shared.runs[slot][warp] = runs;
      shared.totals.put(round, warp, Runs<T>(through, runs));
    }
  }

  template <bool kWhole>
  __device__ void write(Shared& shared, int round) const {
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp, slot = round % kSlots;
    const int left = count(round) - int(threadIdx.x) * kOwn;
    T* const x = elements(round) + warp * kWarp * kOwn;
    Word* const key = tile_keys(round) + warp * kWarp * kOwn;
    T own[kOwn];
    Word own_keys[kOwn];
#pragma unroll
    for (int i = 0; i < kOwn; ++i) {
      const bool inside = kWhole || i < left;
      own[i] = inside ? x[lane * kOwn + i] : Op::template identity<T>();
      own_keys[i] = inside ? key[lane * kOwn + i] : Word(0);
    }
    const Runs<T> before = shared.totals.before(round, warp);
    const unsigned heads = shared.heads[slot][threadIdx.x];
    int index = shared.runs_before[slot][threadIdx.x];
    T running = shared.value_before[slot][threadIdx.x];
    if (index == 0) running = Op{}(before.value, running);
    __syncwarp();  // all have read their elements

    // Where a run begins: its key, and what the one before it has.
#pragma unroll
    for (int i = 0; i < kOwn; ++i) {
      if (heads >> i & 1) {
        x[index] = running;
        key[index++] = own_keys[i];
        running = own[i];
      } else {
        running = Op{}(running, own[i]);
      }
    }
    __syncwarp();
    const int runs = shared.runs[slot][warp];
    // All lanes have the same. As results of a shuffle they are values of their own; else compilers add them up in the loop.
    Word* const keys_to = shuffle(static_cast<Word*>(a.keys_out) + before.count(), 0);
    T* const to = shuffle(a.out + before.count() - 1, 0);
    for (int j = lane; j < runs; j += kWarp) {
      keys_to[j] = key[j];
      if (j > 0 || before.count() > 0) to[j] = x[j];
    }
    if (begin(round) + kTile >= a.n && threadIdx.x == kWarps * kWarp - 1) {
      to[runs] = running;
      *a.count = before.count() + runs;
    }
    fence_for_copies();
    __syncwarp();
    if (lane == 0) shared.written[round].arrive();
  }
};

template <class C, class Word>
__global__ void __launch_bounds__(kThreads, 1)
    pipeline_blocks(typename C::Args a, Keys<Word> keys, Epochs* state,
                    Descriptor<Runs<typename C::T>>* descriptors) {
  using Roles = tandem::Roles<C, Word>;
  __shared__ Shared<typename Roles::Shared, 1> exchange;
  auto& shared = exchange[0];
  if (threadIdx.x == 0) shared.init();
  __syncthreads();
  start_early();
  const std::int64_t tiles = ceil_div(a.n, Roles::kTile);
  const Roles roles{a, keys, static_cast<int>(ceil_div(tiles - blockIdx.x, gridDim.x))};
  const int warp = threadIdx.x / kWarp;
  if (warp < kWarps) {
    roles.compute(shared);
  } else if (warp == kLoader) {
    roles.load(shared);
  } else if (warp == kPublisher) {
    shared.totals.publish(roles.rounds, descriptors, state);
  } else {
    shared.totals.gather(roles.rounds, descriptors, state,
                         JoinRuns<typename C::Op>::template identity<Runs<typename C::T>>());
  }
}

template <class C>
void pipeline(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  if constexpr (std::is_same_v<T, typename C::Acc>) {
    with_keys(a.keys, [&]<class Word>(const Keys<Word>& keys) {
      using Form = tandem::Form<T, Word>;
      const std::int64_t tiles = ceil_div(a.n, Form::kTile);
      const std::int64_t blocks =
          std::min<std::int64_t>(tiles, std::min(ctx.multiprocessors(), kMostRoundBlocks));
      auto* memory = ctx.state<std::byte>("reduce_by_key/pipeline", lookback_bytes<Runs<T>>(tiles));
      launch_together(ctx, blocks, kThreads, kStages * Form::kStageBytes, pipeline_blocks<C, Word>, a, keys,
                      reinterpret_cast<Epochs*>(memory), descriptors_in<Runs<T>>(memory));
    });
  }
}

std::string refuse_narrow(const ReduceByKey::Shape&, CaseId id) {
  return size_of(id.type) < 4 ? "takes elements of 4 and 8 bytes: its results lie where they were" : "";
}

// Totals of rounds are added in a chain: of 16 tiles (the smallest part of a GPU) of 2,560 elements or more.
REGISTER(
    ReduceByKey, pipeline,
    .note = "persistent blocks, bulk copies; results replace elements in shared memory",
    .depth = [](std::int64_t n) { return static_cast<double>(n) / (16 * 2560) + 96; },
    .refuses = refuse_narrow)

}  // namespace
}  // namespace tandem
