// Idea:    a block counts what its tile keeps, learns by look-back how many are kept before it, and writes its results: one
//          launch, which reads each element once.
// New:     against ballots, the tile stays in registers while its place is found, with scan's exchange (look_back.cuh):
//          no second read, no scan of counts. While one warp looks back, all put what they keep side by side into shared
//          memory, so that the results leave as whole lines.
// Expect:  a read of each element and a write of each that is kept: from half of the time of a copy, where nothing is
//          kept, to all of it. A partition must know the whole count before it can place the others, so it counts first:
//          one more read.
// Limits:  blocks must start in index order. Flags are read byte by byte. In place only by a predicate: then a tile that
//          has told its count has read its elements, and nobody writes past what has told its own.
// Source:  Merrill, Garland 2016, "Single-pass parallel prefix scan with decoupled look-back".

#include "lib/ops/select/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/look_back.cuh"
#include "tandem/device/vector_access.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

using Kind = Select::Kind;

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
constexpr int kItems = 16;  // elements of a thread
constexpr int kTile = kThreads * kItems;

/// The elements of a thread: row r of a warp is 32 neighbouring packs, so every access of a warp is 512 neighbouring
/// bytes. Tiles begin where packs of the input are aligned, the first one `shift` elements before the input.
template <class T>
struct Items {
  static constexpr int kPack = Pack<T>::kSize, kRows = kItems / kPack;
  Pack<T> packs[kRows];
  std::int64_t first;  // the index of packs[0].values[0]
  T below;             // lane r: the element before row r of the warp, once load_below has run

  __device__ std::int64_t index(int r) const { return first + r * kWarp * kPack; }
  __device__ void load(const T* in, std::int64_t n, int shift) {
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    first = std::int64_t(blockIdx.x) * kTile - shift + (warp * kRows * kWarp + lane) * kPack;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const std::int64_t i = index(r);
      if (i >= 0 && i + kPack <= n) {
        packs[r] = *reinterpret_cast<const Pack<T>*>(in + i);
        continue;
      }
#pragma unroll
      for (int k = 0; k < kPack; ++k) packs[r].values[k] = i + k >= 0 && i + k < n ? in[i + k] : T(0);
    }
  }

  /// After load, and at once: what unique compares the first element of a row with is on its way with the rows.
  __device__ void load_below(const T* in, std::int64_t n) {
    const int lane = threadIdx.x % kWarp;
    const std::int64_t i = first - lane * kPack + std::int64_t(lane) * kWarp * kPack - 1;
    below = lane < kRows && i >= 0 && i < n ? in[i] : T(0);
  }

  /// Called by a warp: bit r·kPack + k is set where element k of row r is kept.
  template <Kind kKind, class Args>
  __device__ unsigned kept(const Args& a) const {
    unsigned bits = 0;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const std::int64_t i = index(r);
      T last_below = T(0);
      if constexpr (kKind == Kind::unique) {
        const T of_lane = shuffle_up(packs[r].values[kPack - 1], 1), of_row = shuffle(below, r);
        last_below = threadIdx.x % kWarp == 0 ? of_row : of_lane;
      }
#pragma unroll
      for (int k = 0; k < kPack; ++k) {
        if (i + k < 0 || i + k >= a.n) continue;
        const T x = packs[r].values[k];
        bool keep;
        if constexpr (kKind == Kind::flags) {
          keep = a.flags[i + k] != 0;
        } else if constexpr (kKind == Kind::unique) {
          keep = i + k == 0 || !((k == 0 ? last_below : packs[r].values[k > 0 ? k - 1 : 0]) == x);
        } else {
          keep = a.range(x);
        }
        bits |= unsigned(keep) << (r * kPack + k);
      }
    }
    return bits;
  }
};

/// How many elements a predicate keeps, added to count[0].
template <class C>
__global__ void __launch_bounds__(kThreads) count_tile(typename C::Args a, int shift) {
  Items<typename C::T> items;
  items.load(a.in, a.n, shift);
  const int kept = warp_reduce<Plus>(__popc(items.template kept<Kind::predicate>(a)));
  __shared__ Shared<int, kWarps> warp_counts;
  if (threadIdx.x % kWarp == 0) warp_counts[threadIdx.x / kWarp] = kept;
  __syncthreads();
  if (threadIdx.x > 0) return;
  int total = 0;
  for (int w = 0; w < kWarps; ++w) total += warp_counts[w];
  using Word = unsigned long long;
  atomicAdd(reinterpret_cast<Word*>(a.count), Word(total));
}

template <class C, Kind kKind>
__global__ void __launch_bounds__(kThreads)
    lookback_tile(typename C::Args a, int shift, Epochs* state, Descriptor<std::int64_t>* descriptors) {
  using T = typename C::T;
  constexpr int kPack = Items<T>::kPack;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  start_early();
  const unsigned epoch = state->running();
  Items<T> items;
  items.load(a.in, a.n, shift);
  if constexpr (kKind == Kind::unique) items.load_below(a.in, a.n);
  const unsigned kept = items.template kept<kKind>(a);

  // How many are kept before each of this thread's packs, in its warp: the rows' scans go side by side.
  const auto in_pack = [kept](int r) { return __popc(kept >> (r * kPack) & ((1u << kPack) - 1)); };
  int before[Items<T>::kRows], in_warp = 0;
#pragma unroll
  for (int r = 0; r < Items<T>::kRows; ++r) before[r] = in_pack(r);
  warp_inclusive_scans<Plus>(before);
#pragma unroll
  for (int r = 0; r < Items<T>::kRows; ++r) {
    const int in_row = shuffle(before[r], kWarp - 1);
    before[r] += in_warp - in_pack(r);
    in_warp += in_row;
  }

  __shared__ Shared<int, kWarps> warp_counts;
  __shared__ Shared<std::int64_t, 1> before_tile;
  __shared__ Shared<T, kTile> results;
  if (lane == 0) warp_counts[warp] = in_warp;
  __syncthreads();
  const std::int64_t begin = std::int64_t(blockIdx.x) * kTile - shift;
  int before_warp = 0, in_tile = 0;
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
  // The tile's results side by side, those of a partition followed by the others.
#pragma unroll
  for (int r = 0; r < Items<T>::kRows; ++r) {
    int to = before_warp + before[r];
    int others = in_tile + int(items.index(r) - begin) - to;
#pragma unroll
    for (int k = 0; k < kPack; ++k) {
      if (kept >> (r * kPack + k) & 1)
        results[to++] = items.packs[r].values[k];
      else if constexpr (kKind == Kind::partition)
        results[others++] = items.packs[r].values[k];
    }
  }
  __syncthreads();
  const std::int64_t prefix = before_tile[0];
  for (int j = threadIdx.x; j < in_tile; j += kThreads) a.out[prefix + j] = results[j];
  if constexpr (kKind == Kind::partition) {
    const int outside = begin < 0 ? shift : 0, end = int(min(std::int64_t(kTile), a.n - begin));
    T* const to = a.out + *a.count + max(begin, std::int64_t(0)) - prefix;
    for (int j = threadIdx.x; j < end - outside - in_tile; j += kThreads)
      to[j] = results[in_tile + outside + j];
  } else if (threadIdx.x == 0 && blockIdx.x == gridDim.x - 1) {
    *a.count = prefix + in_tile;
  }
  if (threadIdx.x == 0) state->finish_block(epoch);
}

template <class C>
void lookback(const typename C::Args& a, Context& ctx) {
  const int shift = int(reinterpret_cast<std::uintptr_t>(a.in) % 16 / sizeof(typename C::T));
  const std::int64_t tiles = ceil_div(shift + a.n, kTile);
  auto* memory = ctx.state<std::byte>("select/lookback", lookback_bytes<std::int64_t>(tiles));
  if (a.kind == Kind::partition) {
    ctx.fill(a.count, 0, sizeof *a.count);
    launch(ctx, tiles, kThreads, 0, count_tile<C>, a, shift);
  }
  for_kind(a.kind, [&]<Kind kKind>() {
    launch_early(ctx, tiles, kThreads, 0, lookback_tile<C, kKind>, a, shift,
                 reinterpret_cast<Epochs*>(memory), descriptors_in<std::int64_t>(memory));
  });
}

std::string looks_around(const Select::Shape& shape, CaseId id) {
  return shape.kind == Kind::predicate ? "" : Select::refuses(shape, id);
}

REGISTER(Select, lookback, .note = "one pass: decoupled look-back, results leave as whole lines",
         .refuses = looks_around)

}  // namespace
}  // namespace tandem
