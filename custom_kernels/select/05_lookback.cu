// Idea:    a block counts what its tile keeps, learns by look-back how many are kept before it, and writes its results: one
//          launch, which reads each element once.
// New:     against ballots, the tile stays in registers while its place is found, with scan's exchange (look_back.cuh):
//          no second read, no scan of counts. While one warp looks back, all put what they keep side by side into shared
//          memory, so that the results leave as whole lines.
// Expect:  a read of each element and a write of each that is kept: from half of the time of a copy, where nothing is
//          kept, to all of it. A partition must know the whole count before it can place the others, so it counts first:
//          one more read.
// Limits:  blocks must start in index order. In place only by a predicate: then a tile that
//          has told its count has read its elements, and nobody writes past what has told its own.
// Source:  Merrill, Garland 2016, "Single-pass parallel prefix scan with decoupled look-back".

#include "custom_kernels/select/detail/count_kept.cuh"
#include "tandem/device/launch.cuh"
#include "tandem/device/look_back.cuh"
#include "tandem/device/vector_access.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

using Kind = Select::Kind;

constexpr int kThreads = 128;
constexpr int kWarps = kThreads / kWarp;
template <class T>
constexpr int kItems = sizeof(T) > 4 ? 16 : 32;  // elements of a thread: bits of a word say which are kept
template <class T>
constexpr int kTile = kThreads* kItems<T>;

/// The part of the input that a block looks at. Tiles begin where packs of the input are aligned, the first one `shift`
/// elements before the input.
template <class T>
struct Tile {
  std::int64_t begin;
  int from, to;  // its elements that lie in the input: [from, to)

  __device__ Tile(std::int64_t n, int shift)
      : begin(std::int64_t(blockIdx.x) * kTile<T> - shift),
        from(begin < 0 ? shift : 0),
        to(int(min(std::int64_t(kTile<T>), n - begin))) {}
  __device__ bool whole() const { return from == 0 && to == kTile<T>; }
};

/// The elements of a thread: row r of a warp is 32 neighbouring packs, so every access of a warp is 512 neighbouring
/// bytes. Of a whole tile nobody asks where the input ends.
template <class T, bool kWhole>
struct Items {
  using Pack = PackInRegisters<T>;
  static constexpr int kPack = Pack::kSize, kRows = kItems<T> / kPack;

  const Tile<T>& tile;
  const int first = (threadIdx.x / kWarp * kRows * kWarp + threadIdx.x % kWarp) * kPack;
  Pack packs[kRows];

  __device__ explicit Items(const Tile<T>& of) : tile(of) {}
  /// Where row r begins in the tile.
  __device__ int place(int r) const { return first + r * kWarp * kPack; }
  __device__ bool inside(int i) const { return kWhole || (i >= tile.from && i < tile.to); }

  __device__ void load(const T* in) {
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const T* const at = in + tile.begin + place(r);
      if (kWhole || (inside(place(r)) && inside(place(r) + kPack - 1))) {
        packs[r] = *reinterpret_cast<const Pack*>(at);
      } else {
#pragma unroll
        for (int k = 0; k < kPack; ++k) packs[r].set(k, inside(place(r) + k) ? at[k] : T{});
      }
    }
  }

  /// Bit r·kPack + k is set where element k of row r is kept. Called by a warp, after load; what else is read is on its
  /// way at the same time.
  template <Kind kKind, class Args>
  __device__ unsigned kept(const Args& a) const {
    unsigned bits = 0;
    if constexpr (kKind == Kind::flags) {
      using Flags = tandem::Pack<std::uint8_t, kPack>;
      const std::uint8_t* const flags = a.flags + tile.begin;
      const bool in_packs = kWhole && reinterpret_cast<std::uintptr_t>(flags) % sizeof(Flags) == 0;
      Flags rows[kRows];
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        if (in_packs) {
          rows[r] = *reinterpret_cast<const Flags*>(flags + place(r));
          continue;
        }
#pragma unroll
        for (int k = 0; k < kPack; ++k) rows[r].values[k] = inside(place(r) + k) ? flags[place(r) + k] : 0;
      }
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
#pragma unroll
        for (int k = 0; k < kPack; ++k) bits |= unsigned(rows[r].values[k] != 0) << (r * kPack + k);
      }
    } else if constexpr (kKind == Kind::unique) {
      // Lane r reads what the first element of row r is compared with.
      const int lane = threadIdx.x % kWarp;
      const std::int64_t before = tile.begin + first - lane * kPack + lane * kWarp * kPack - 1;
      const T below = lane < kRows && before >= 0 && before < a.n ? a.in[before] : T{};
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        const T of_lane = shuffle_up(packs[r].get(kPack - 1), 1), of_row = shuffle(below, r);
        T last = lane == 0 ? of_row : of_lane;
#pragma unroll
        for (int k = 0; k < kPack; ++k) {
          bits |= unsigned(!(last == packs[r].get(k))) << (r * kPack + k);
          last = packs[r].get(k);
        }
      }
      const std::int64_t index = tile.begin + first;
      if (index <= 0 && index > -kPack) bits |= 1u << -index;  // the first of the input
    } else {
      const Range<T> range{a.range.low, a.range.high};
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
#pragma unroll
        for (int k = 0; k < kPack; ++k) bits |= unsigned(range(packs[r].get(k))) << (r * kPack + k);
      }
      if (a.range.others) bits ^= ~0u >> (32 - kRows * kPack);
    }
    if constexpr (!kWhole) {
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
#pragma unroll
        for (int k = 0; k < kPack; ++k) bits &= ~(unsigned(!inside(place(r) + k)) << (r * kPack + k));
      }
    }
    return bits;
  }
};

/// Calls work with the elements of the block's tile.
template <class T, class Work>
__device__ void with_items(std::int64_t n, int shift, Work work) {
  const Tile<T> tile(n, shift);
  if (tile.whole())
    work(Items<T, true>(tile));
  else
    work(Items<T, false>(tile));
}

template <class C, Kind kKind>
__global__ void __launch_bounds__(kThreads)
    lookback_tile(typename C::Args a, int shift, Epochs* state, Descriptor<std::int64_t>* descriptors) {
  using T = typename C::T;
  __shared__ Shared<int, kWarps> warp_counts;
  __shared__ Shared<std::int64_t, 1> before_tile;
  __shared__ Shared<T, kTile<T>> results;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  start_early();
  const unsigned epoch = state->running();
  int in_tile = 0;
  with_items<T>(a.n, shift, [&]<bool kWhole>(Items<T, kWhole> items) {
    constexpr int kPack = Items<T, kWhole>::kPack, kRows = Items<T, kWhole>::kRows;
    items.load(a.in);
    const unsigned kept = items.template kept<kKind>(a);

    // How many are kept before each of this thread's packs, in its warp: the rows' scans go side by side.
    const auto in_pack = [kept](int r) { return __popc(kept >> (r * kPack) & ((1u << kPack) - 1)); };
    int before[kRows], in_warp = 0;
#pragma unroll
    for (int r = 0; r < kRows; ++r) before[r] = in_pack(r);
    warp_inclusive_scans<Plus>(before);
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const int in_row = shuffle(before[r], kWarp - 1);
      before[r] += in_warp - in_pack(r);
      in_warp += in_row;
    }
    if (lane == 0) warp_counts[warp] = in_warp;
    __syncthreads();
    int before_warp = 0;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
      if (w == warp) before_warp = in_tile;
      in_tile += warp_counts[w];
    }
    if (warp == 0) {
      const std::int64_t prefix =
          publish_and_look_back<Plus>(descriptors, blockIdx.x, epoch, std::int64_t(in_tile));
      if (lane == 0) before_tile[0] = prefix;
    }
    // The tile's results side by side, followed by the others.
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      int to = before_warp + before[r];
#pragma unroll
      for (int k = 0; k < kPack; ++k) {
        const bool keep = kept >> (r * kPack + k) & 1;
        results[keep ? to : in_tile + items.place(r) + k - to] = items.packs[r].get(k);
        to += keep;
      }
    }
  });
  __syncthreads();
  const std::int64_t prefix = before_tile[0];
  for (int j = threadIdx.x; j < in_tile; j += kThreads) a.out[prefix + j] = results[j];
  if constexpr (kKind == Kind::partition) {
    const Tile<T> tile(a.n, shift);
    T* const to = a.out + *a.count + tile.begin + tile.from - prefix;
    for (int j = threadIdx.x; j < tile.to - tile.from - in_tile; j += kThreads)
      to[j] = results[in_tile + tile.from + j];
  } else if (threadIdx.x == 0 && blockIdx.x == gridDim.x - 1) {
    *a.count = prefix + in_tile;
  }
  if (threadIdx.x == 0) state->finish_block(epoch);
}

template <class C>
void lookback(const typename C::Args& a, Context& ctx) {
  const int shift = int(reinterpret_cast<std::uintptr_t>(a.in) % 16 / sizeof(typename C::T));
  const std::int64_t tiles = ceil_div(shift + a.n, kTile<typename C::T>);
  auto* memory = ctx.state<std::byte>("select/lookback", lookback_bytes<std::int64_t>(tiles));
  if (a.kind == Kind::partition) count_kept<C>(a, ctx);
  for_kind(a.kind, [&]<Kind kKind>() {
    launch_early(ctx, tiles, kThreads, 0, lookback_tile<C, kKind>, a, shift,
                 reinterpret_cast<Epochs*>(memory), descriptors_in<std::int64_t>(memory));
  });
}

REGISTER(Select, lookback, .note = "one pass: decoupled look-back, results leave as whole lines",
         .refuses = Select::takes_predicates_in_place)

}  // namespace
}  // namespace tandem
