// Idea:    warp specialisation: one persistent block per multiprocessor, in which a loader keeps a ring of
//          tiles filled by bulk copies, eight warps compute, and a storer empties the ring by bulk copies.
//          Block b of G scans tiles b, b + G, b + 2G, …, one in each round. It reduces a tile some rounds
//          before it scans it; a publisher tells all blocks its total, and a gatherer reads the G totals of a
//          round at once.
// New:     against lookback, nobody looks back from tile to tile: before a tile lie all earlier rounds and
//          the totals of its own, which have been there for a while. Up to 200 KB of a multiprocessor are in
//          flight, and no register holds them. Who adds what is fixed, so all bits repeat from run to run.
// Expect:  2n words moved, at the bandwidth of a copy. A lane owns an odd number of packs, so that shared
//          memory, through which each element passes, has no bank conflicts.
// Limits:  Hopper alone (sm_90a). All blocks must run at once, and a short input waits for whole tiles. Lanes, not
//          the copy engine, store an output that is aligned otherwise than the input.
// Source:  Merrill, Garland 2016 (descriptors); NVIDIA, PTX ISA 8, cp.async.bulk and mbarrier; CUTLASS 3,
//          warp-specialised persistent kernels.

#include "lib/ops/scan/contract.h"
#include "tandem/device/launch_together.cuh"
#include "tandem/device/round_totals.cuh"

namespace tandem {
namespace {

constexpr int kWarps = 8;  // that compute
constexpr int kLoader = kWarps, kStorer = kWarps + 1, kPublisher = kWarps + 2, kGatherer = kWarps + 3;
constexpr int kThreads = (kGatherer + 1) * kWarp;

/// Packs per lane of a tile, stages of the ring, rounds from the reduction of a tile to its scan.
template <int kPacks_, int kStages_, int kAhead_>
struct Form {
  static constexpr int kPacks = kPacks_, kStages = kStages_, kAhead = kAhead_;
  static_assert(kPacks % 2 == 1, "lanes would meet in banks of shared memory");
  static_assert(kStages >= kAhead + 2, "a reduction would wait for the scan behind it");
};
using Short = Form<5, 8, 2>;
using Long = Form<7, 7, 3>;
constexpr std::int64_t kShortBytes = 32 << 20;

/// What the warps of a block tell each other, in shared memory. Uses of the rings are numbered by rounds.
template <class Acc, class Op, class Form>
struct Exchange {
  static constexpr int kSlots = Form::kAhead + 2;
  MbarrierRing<Form::kStages> loaded, scanned, stored;  // a stage
  RoundTotals<Acc, Op, kWarps, kSlots> totals;
  Acc before_lane[kSlots][kWarps * kWarp];  // the total of the lanes before, in its warp

  /// Called by one thread.
  __device__ void init() {
    loaded.init(1 + kWarp);  // the bytes, and the lanes that add the ends
    scanned.init(kWarps * kWarp);
    stored.init(kWarp);
    totals.init();
    fence_for_copies();
  }
};

/// What the warps do: each method is called by all lanes of a warp. Tiles begin where packs of the input are
/// aligned, the first one `shift` elements before the input.
template <class C, class Form>
struct Roles {
  using T = typename C::T;
  using Acc = typename C::Acc;
  using Op = typename C::Op;
  static constexpr int kPack = Pack<T>::kSize;
  static constexpr int kTile = kWarps * kWarp * Form::kPacks * kPack;
  static constexpr std::size_t kRingBytes = Form::kStages * kTile * sizeof(T);
  using Shared = Exchange<Acc, Op, Form>;

  typename C::Args a;
  int shift, rounds;  // rounds of this block
  bool out_aligned;   // where the input is

  /// Elements [begin, end) of a tile lie in the array; bulk copies take the whole packs of them, [from, to).
  struct Part {
    std::int64_t origin;  // the tile's element 0, in the array
    int begin, from, to, end;
    __device__ unsigned bytes() const { return (to - from) * sizeof(T); }
  };
  __device__ Part part(int round, bool by_packs) const {
    Part p;
    p.origin = (std::int64_t{round} * gridDim.x + blockIdx.x) * kTile - shift;
    p.begin = p.origin < 0 ? shift : 0;
    p.end = static_cast<int>(min(std::int64_t{kTile}, a.n - p.origin));
    p.from = by_packs ? min((p.begin + kPack - 1) / kPack * kPack, p.end) : p.begin;
    p.to = by_packs ? max(p.end / kPack * kPack, p.from) : p.begin;
    return p;
  }
  __device__ static T* stage(int round) { return &dynamic_shared<T>()[round % Form::kStages * kTile]; }
  __device__ static PackInRegisters<T>* packs_of_thread(int round) {
    return reinterpret_cast<PackInRegisters<T>*>(stage(round)) + threadIdx.x * Form::kPacks;
  }

  /// The operator's identity lies before the input; no result depends on what lies behind it.
  __device__ void load(Shared& shared) const {
    const int lane = threadIdx.x % kWarp;
    for (int k = 0; k < rounds; ++k) {
      if (k >= Form::kStages) shared.stored.wait(k - Form::kStages);
      const Part p = part(k, true);
      T* const to = stage(k);
      if (lane == 0) {
        shared.loaded[k].arrive_and_expect(p.bytes());
        if (p.bytes() > 0) bulk_load(to + p.from, a.in + p.origin + p.from, p.bytes(), shared.loaded[k]);
        leave_unspecified(to + p.end, kTile - p.end);
      }
      if (lane < p.begin) to[lane] = C::result(C::identity());
      if (p.begin + lane < p.from) to[p.begin + lane] = a.in[p.origin + p.begin + lane];
      if (p.to + lane < p.end) to[p.to + lane] = a.in[p.origin + p.to + lane];
      shared.loaded[k].arrive();
    }
  }

  __device__ void compute(Shared& shared) const {
    for (int k = 0; k < rounds + Form::kAhead; ++k) {
      if (k < rounds) reduce(shared, k);
      if (k >= Form::kAhead) scan(shared, k - Form::kAhead);
    }
  }
  __device__ void reduce(Shared& shared, int round) const {
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp, slot = round % Shared::kSlots;
    shared.loaded.wait(round);
    const PackInRegisters<T>* packs = packs_of_thread(round);
    Acc total;
#pragma unroll
    for (int p = 0; p < Form::kPacks; ++p) {
      const PackInRegisters<T> pack = packs[p];
      Acc pack_total = C::load(pack.get(0));
#pragma unroll
      for (int i = 1; i < kPack; ++i) pack_total = Op{}(pack_total, C::load(pack.get(i)));
      total = p == 0 ? pack_total : Op{}(total, pack_total);
    }
    const Acc through = warp_inclusive_scan<Op>(total);
    const Acc below = shuffle_up(through, 1);
    shared.before_lane[slot][threadIdx.x] = lane == 0 ? Op::template identity<Acc>() : below;
    if (lane == kWarp - 1) shared.totals.put(round, warp, through);
  }
  __device__ void scan(Shared& shared, int round) const {
    const int warp = threadIdx.x / kWarp, slot = round % Shared::kSlots;
    Acc running = Op{}(shared.totals.before(round, warp), shared.before_lane[slot][threadIdx.x]);
    PackInRegisters<T>* packs = packs_of_thread(round);
#pragma unroll
    for (int p = 0; p < Form::kPacks; ++p) {
      PackInRegisters<T> pack = packs[p];
#pragma unroll
      for (int i = 0; i < kPack; ++i) {
        const Acc next = Op{}(running, C::load(pack.get(i)));
        pack.set(i, C::result(a.exclusive ? running : next));
        running = next;
      }
      packs[p] = pack;
    }
    fence_for_copies();
    shared.scanned[round].arrive();
  }

  __device__ void store(Shared& shared) const {
    const int lane = threadIdx.x % kWarp;
    for (int k = 0; k < rounds; ++k) {
      shared.scanned.wait(k);
      const Part p = part(k, out_aligned);
      const T* from = stage(k);
      T* const to = a.out + p.origin;
      if (lane == 0 && p.bytes() > 0) bulk_store(to + p.from, from + p.from, p.bytes());
      if (p.begin + lane < p.from) to[p.begin + lane] = from[p.begin + lane];
      // Lane 0 begins a line of the cache.
      const int past = static_cast<int>(reinterpret_cast<std::uintptr_t>(to + p.to) / sizeof(T) % kWarp);
#pragma unroll 8
      for (int i = p.to - past + lane; i < p.end; i += kWarp) {
        if (i >= p.to) to[i] = from[i];
      }
      if (lane == 0) {
        commit_bulk_stores();
        wait_for_bulk_reads<1>();
      }
      if (k > 0) shared.stored[k - 1].arrive();
    }
    if (lane == 0) wait_for_bulk_stores();
  }
};

template <class C, class Form>
__global__ void __launch_bounds__(kThreads, 1)
    pipeline_blocks(typename C::Args a, int shift, bool out_aligned, std::int64_t tiles, Epochs* state,
                    Descriptor<typename C::Acc>* descriptors) {
  __shared__ Shared<Exchange<typename C::Acc, typename C::Op, Form>, 1> exchange;
  auto& shared = exchange[0];
  if (threadIdx.x == 0) shared.init();
  __syncthreads();
  start_early();
  const int rounds = static_cast<int>(ceil_div(tiles - blockIdx.x, gridDim.x));
  const Roles<C, Form> roles{a, shift, rounds, out_aligned};
  const int warp = threadIdx.x / kWarp;
  if (warp < kWarps) {
    roles.compute(shared);
  } else if (warp == kLoader) {
    roles.load(shared);
  } else if (warp == kStorer) {
    roles.store(shared);
  } else if (warp == kPublisher) {
    shared.totals.publish(rounds, descriptors, state);
  } else {
    shared.totals.gather(rounds, descriptors, state, a.init);
  }
}

template <class C, class Form>
void run_pipeline(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  constexpr int kPack = Pack<T>::kSize;
  const auto head = static_cast<int>(unaligned_head(a.in, kPack)), shift = (kPack - head) % kPack;
  const std::int64_t tiles = ceil_div(shift + a.n, Roles<C, Form>::kTile);
  const std::int64_t blocks =
      std::min<std::int64_t>(tiles, std::min(ctx.multiprocessors(), kMostRoundBlocks));
  auto* memory = ctx.state<std::byte>("scan/pipeline", lookback_bytes<typename C::Acc>(tiles));
  launch_together(ctx, blocks, kThreads, Roles<C, Form>::kRingBytes, pipeline_blocks<C, Form>, a, shift,
                  head == unaligned_head(a.out, kPack), tiles, reinterpret_cast<Epochs*>(memory),
                  descriptors_in<typename C::Acc>(memory));
}

template <class C>
void pipeline(const typename C::Args& a, Context& ctx) {
  const bool is_short = a.n * std::int64_t{sizeof(typename C::T)} <= kShortBytes;
  is_short ? run_pipeline<C, Short>(a, ctx) : run_pipeline<C, Long>(a, ctx);
}

// Totals of rows are added in a chain: of 16 tiles (the smallest part of a GPU) of 2,560 elements or more. A lane adds up
// to 56 elements that round, of half and bfloat16.
REGISTER(
    Scan, pipeline, .note = "persistent blocks, bulk copies, totals of a round read at once",
    .depth = [](std::int64_t n) { return static_cast<double>(n) / (16 * 2560) + 96; })

}  // namespace
}  // namespace tandem
