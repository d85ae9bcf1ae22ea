// Idea:    scan's pipeline: one persistent block per multiprocessor, in which a loader keeps a ring of tiles filled by bulk
//          copies. A warp asks about 32 neighbours at once and keeps the answers as a word of bits; some rounds later, when
//          it is known how many are kept before the tile, it writes those of each word side by side.
// New:     against lookback, nobody waits while a tile is looked back for: other tiles arrive and are counted meanwhile, up
//          to 160 KB of a multiprocessor in flight. No exchange of elements: a word of bits says where each lane's goes.
// Expect:  a read of each element and a write of each that is kept, at the bandwidth of a copy.
// Limits:  Hopper alone (sm_90a). All blocks must run at once, and a short input waits for whole tiles.
// Source:  scan/10_pipeline; Bakunas-Milanowski et al. 2017, "Efficient algorithms for stream compaction on GPUs" (ballots).

#include "custom_kernels/select/detail/count_kept.cuh"
#include "tandem/device/launch_together.cuh"
#include "tandem/device/round_totals.cuh"

namespace tandem {
namespace {

using Kind = Select::Kind;

constexpr int kWarps = 20;  // that count and write
constexpr int kLoader = kWarps, kPublisher = kWarps + 1, kGatherer = kWarps + 2;
constexpr int kThreads = (kGatherer + 1) * kWarp;
constexpr int kTileBytes = 40 << 10;  // at most, and at most kMostRows rows of a warp
constexpr int kMostRows = 16;
constexpr int kAhead = 2, kSlots = kAhead + 2;  // rounds from the count of a tile to its results

/// 32 neighbours: which of them are kept, and how many are in the rows before, in the warp's part of the tile.
struct alignas(8) Row {
  unsigned bits, before;
};

template <class T, Kind kKind>
struct Form {
  static constexpr bool kFlags = kKind == Kind::flags;
  static constexpr int kRows = std::min<int>(kTileBytes / sizeof(T) / (kWarps * kWarp), kMostRows);
  static constexpr int kTile = kRows * kWarps * kWarp;
  static constexpr int kStages = 4;
  static constexpr int kLine = BulkPiece<T>::kLine;
  // A stage: a line whose last element lies before the tile, the tile, and up to a line less one of its alignment.
  static constexpr int kElements = kLine + kTile + kLine;
  static constexpr int kFlagBytes = kFlags ? kTile + 128 : 0;
  static constexpr int kStageBytes = kElements * sizeof(T) + kFlagBytes;
  static_assert(kRows <= kWarp && kStages >= kAhead + 2);
};

/// What the warps of a block tell each other, in shared memory. Uses of the rings are numbered by rounds.
template <int kStages, int kRows>
struct Exchange {
  MbarrierRing<kStages> loaded, written;  // a stage
  RoundTotals<std::int64_t, Plus, kWarps, kSlots> totals;
  Row rows[kSlots][kWarps][kRows];

  /// Called by one thread.
  __device__ void init() {
    loaded.init(1 + kWarp);  // the bytes, and the lanes that add the ends
    written.init(kWarps);
    totals.init();
    fence_for_copies();
  }
};

/// What the warps do: each method is called by all lanes of a warp.
template <class C, Kind kKind>
struct Roles {
  using T = typename C::T;
  using Form = tandem::Form<T, kKind>;
  using Shared = Exchange<Form::kStages, Form::kRows>;
  static constexpr int kTile = Form::kTile, kRows = Form::kRows;

  typename C::Args a;
  int rounds;  // of this block

  __device__ static std::int64_t begin(int round) {
    return (std::int64_t{round} * gridDim.x + blockIdx.x) * kTile;
  }
  __device__ int count(int round) const { return int(min(std::int64_t{kTile}, a.n - begin(round))); }
  __device__ static std::byte* stage(int round) {
    return &dynamic_shared<std::byte>()[round % Form::kStages * Form::kStageBytes];
  }
  /// Where a tile's elements, and their flags, begin in their stage.
  __device__ T* elements(int round) const {
    const BulkPiece<T> piece(a.in + begin(round), 0);
    return reinterpret_cast<T*>(stage(round)) + Form::kLine + piece.shift;
  }
  __device__ std::uint8_t* flags(int round) const {
    const BulkPiece<std::uint8_t> piece(a.flags + begin(round), 0);
    return reinterpret_cast<std::uint8_t*>(stage(round) + Form::kElements * sizeof(T)) + piece.shift;
  }

  __device__ void load(Shared& shared) const {
    for (int k = 0; k < rounds; ++k) {
      if (k >= Form::kStages) shared.written.wait(k - Form::kStages);
      Mbarrier& loaded = shared.loaded[k];
      const int lane = threadIdx.x % kWarp;
      const BulkPiece<T> piece(a.in + begin(k), count(k));
      unsigned bytes = piece.bytes();
      if constexpr (Form::kFlags) bytes += BulkPiece<std::uint8_t>(a.flags + begin(k), count(k)).bytes();
      if (lane == 0) loaded.arrive_and_expect(bytes);
      load_piece(elements(k), a.in + begin(k), piece, loaded);
      if constexpr (Form::kFlags) {
        const BulkPiece<std::uint8_t> of_flags(a.flags + begin(k), count(k));
        load_piece(flags(k), a.flags + begin(k), of_flags, loaded);
      }
      if constexpr (kKind == Kind::unique) {
        if (lane == 0) elements(k)[-1] = begin(k) > 0 ? a.in[begin(k) - 1] : T{};
      }
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

  /// Which elements are kept.
  template <bool kWhole>
  __device__ void mark(Shared& shared, int round) const {
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp, first = warp * kRows * kWarp;
    const int left = count(round) - first;
    const T* const x = elements(round) + first + lane;
    const std::uint8_t* const flag = Form::kFlags ? flags(round) + first + lane : nullptr;
    const Range<T> range{a.range.low, a.range.high};
    auto& rows = shared.rows[round % kSlots][warp];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const int i = r * kWarp;
      bool keep = false;
      if (kWhole || i + lane < left) {
        if constexpr (Form::kFlags)
          keep = flag[i] != 0;
        else if constexpr (kKind == Kind::unique)
          keep = !(x[i - 1] == x[i]);
        else
          keep = range(x[i]);
      }
      const unsigned bits = __ballot_sync(kAllLanes, keep);
      if (lane == 0) rows[r].bits = bits;
    }
    __syncwarp();
    unsigned bits = 0;  // lane r: of row r
    if (lane < kRows) {
      bits = rows[lane].bits;
      if (!Form::kFlags && kKind != Kind::unique && a.range.others) bits = ~bits;
      if (kKind == Kind::unique && begin(round) + threadIdx.x == 0) bits |= 1;  // the first of the input
      const int there = left - lane * kWarp;
      if (!kWhole && there < kWarp) bits &= there > 0 ? (1u << there) - 1 : 0;
    }
    const int kept = __popc(bits), through = warp_inclusive_scan<Plus>(kept);
    if (lane < kRows) rows[lane] = {bits, unsigned(through - kept)};
    __syncwarp();
    if (lane == kWarp - 1) shared.totals.put(round, warp, through);
  }

  template <bool kWhole>
  __device__ void write(Shared& shared, int round) const {
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp, first = warp * kRows * kWarp;
    const int left = count(round) - first;
    const std::int64_t before = shared.totals.before(round, warp);
    const T* const x = elements(round) + first + lane;
    // All lanes have the same. As a result of a shuffle it is a value of its own; else compilers add it up for every row.
    T* const to = shuffle(a.out + before, 0);
    const auto& rows = shared.rows[round % kSlots][warp];
    const unsigned own = 1u << lane;
    T* others = nullptr;
    if constexpr (kKind == Kind::partition) others = a.out + *a.count + begin(round) + first + lane - before;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const Row row = rows[r];
      const unsigned rank = row.before + unsigned(__popc(row.bits & (own - 1)));
      if (!kWhole && r * kWarp + lane >= left) continue;
      const T value = x[r * kWarp];
      if (row.bits & own)
        to[rank] = value;
      else if constexpr (kKind == Kind::partition)
        others[r * kWarp - int(rank)] = value;
    }
    if (kKind != Kind::partition && begin(round) + kTile >= a.n && warp == kWarps - 1 && lane == 0)
      *a.count = before + rows[kRows - 1].before + __popc(rows[kRows - 1].bits);
    __syncwarp();
    if (lane == 0) shared.written[round].arrive();
  }
};

template <class C, Kind kKind>
__global__ void __launch_bounds__(kThreads, 1)
    pipeline_blocks(typename C::Args a, Epochs* state, Descriptor<std::int64_t>* descriptors) {
  using Roles = tandem::Roles<C, kKind>;
  __shared__ Shared<typename Roles::Shared, 1> exchange;
  auto& shared = exchange[0];
  if (threadIdx.x == 0) shared.init();
  __syncthreads();
  start_early();
  const std::int64_t tiles = ceil_div(a.n, Roles::kTile);
  const Roles roles{a, static_cast<int>(ceil_div(tiles - blockIdx.x, gridDim.x))};
  const int warp = threadIdx.x / kWarp;
  if (warp < kWarps) {
    roles.compute(shared);
  } else if (warp == kLoader) {
    roles.load(shared);
  } else if (warp == kPublisher) {
    shared.totals.publish(roles.rounds, descriptors, state);
  } else {
    shared.totals.gather(roles.rounds, descriptors, state, std::int64_t{0});
  }
}

template <class C>
void pipeline(const typename C::Args& a, Context& ctx) {
  if (a.kind == Kind::partition) count_kept<C>(a, ctx);
  for_kind(a.kind, [&]<Kind kKind>() {
    using Form = tandem::Form<typename C::T, kKind>;
    const std::int64_t tiles = ceil_div(a.n, Form::kTile);
    const std::int64_t blocks =
        std::min<std::int64_t>(tiles, std::min(ctx.multiprocessors(), kMostRoundBlocks));
    auto* memory = ctx.state<std::byte>("select/pipeline", lookback_bytes<std::int64_t>(tiles));
    launch_together(ctx, blocks, kThreads, Form::kStages * Form::kStageBytes, pipeline_blocks<C, kKind>, a,
                    reinterpret_cast<Epochs*>(memory), descriptors_in<std::int64_t>(memory));
  });
}

REGISTER(Select, pipeline, .note = "persistent blocks, bulk copies; a word of bits says where each goes",
         .refuses = Select::takes_predicates_in_place)

}  // namespace
}  // namespace tandem
