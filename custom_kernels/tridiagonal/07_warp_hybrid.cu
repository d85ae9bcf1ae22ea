// Idea:    a system lies in the registers of a warp, or of a part of one: each lane eliminates its run of neighbouring
//          rows down to one unknown, the lanes solve for these by parallel cyclic reduction with shuffles, and each
//          puts them into its run.
// New:     against parallel_cyclic_reduction, O(n) operations, no block barrier and no shared memory between steps.
//          Memory is read in whole lines, each warp then turns its numbers round in shared memory, so contiguous
//          systems need no transposition.
// Expect:  the 5 words per unknown that must move and nothing else; all of a warp's loads are in flight at once.
// Limits:  systems whose rows are neighbours in memory, of up to 32 runs of 32 rows; runs that registers cannot hold
//          leave two of their three numbers per row in shared memory. Repeats bit for bit.
// Source:  Laszlo, Giles, Appleyard 2016, "Manycore algorithms for batch scalar and block tridiagonal solvers"; Wang
//          1981, "A parallel method for tridiagonal equations".

#include <bit>

#include "custom_kernels/common/chunk.cuh"
#include "custom_kernels/common/warp.cuh"

namespace tandem {
namespace {

constexpr int kWarps = 4;  // of a block; they have nothing to do with each other
template <int kRows>
constexpr int kLog2 = std::bit_width(unsigned(kRows)) - 1;
/// The rows of a lane fit into its registers.
template <class T, int kRows>
constexpr bool kInRegisters = kRows * sizeof(T) <= 64;

template <class T>
__device__ Row<T> shuffle_row(const Row<T>& row, int lane) {
  return {shuffle(row.lower, lane), shuffle(row.upper, lane), shuffle(row.rhs, lane)};
}

/// How systems fit into a warp. loose: 32 / lanes of them, of up to lanes · kRows rows, lanes a power of two; what lies
/// beyond a system's end counts as rows of the identity. one: a single one, lanes is 32. dense: loose, but of exactly so
/// many rows, one system behind the other.
enum class Fit { loose, one, dense };

template <class Args>
__device__ bool inside(Fit fit, const Args& a, std::int64_t first, std::int64_t system, int row) {
  return fit == Fit::dense ? first < a.count : (fit == Fit::one ? first : system) < a.count && row < a.n;
}

template <class C, int kRows, Fit kFit>
__global__ void __launch_bounds__(kWarps* kWarp) warp_hybrid_systems(typename C::Args a, int log2_lanes) {
  using T = typename C::T;
  constexpr int kStride = kRows + 1;      // between lanes: odd, so that they meet in no bank
  constexpr int kTile = kWarp * kStride;  // a warp's numbers of one array
  constexpr int kTiles = kInRegisters<T, kRows> ? 1 : 2;
  using Values = std::conditional_t<kInRegisters<T, kRows>, T[kRows], SharedColumn<T>>;
  auto shared = dynamic_shared<T>();
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp, base = warp * kTiles * kTile;
  const int lanes = 1 << log2_lanes, log2_length = log2_lanes + kLog2<kRows>, length = 1 << log2_length;
  const std::int64_t first = (std::int64_t(blockIdx.x) * kWarps + warp) << (5 - log2_lanes);

  // Slot k · 32 + lane, so that neighbouring lanes have neighbours.
  const std::int64_t first_m = kFit == Fit::dense ? first * a.n
                               : first < a.count  ? a.start(a.matrix, first)
                                                  : 0;
  const std::int64_t first_v = kFit == Fit::dense ? first_m : first < a.count ? a.start(a.vector, first) : 0;
  T lower[kRows], diag[kRows], upper[kRows], rhs[kRows];
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    const int slot = k * kWarp + lane, row = slot & (length - 1);
    const std::int64_t system = first + (slot >> log2_length);
    lower[k] = upper[k] = rhs[k] = T(0);
    diag[k] = T(1);
    if (inside(kFit, a, first, system, row)) {
      const std::int64_t m = kFit == Fit::loose ? a.start(a.matrix, system) + row : first_m + slot;
      const std::int64_t v = kFit == Fit::loose ? a.start(a.vector, system) + row : first_v + slot;
      if (row > 0) lower[k] = a.lower[m];
      diag[k] = a.diag[m];
      if (row + 1 < a.n) upper[k] = a.upper[m];
      rhs[k] = a.rhs[v];
    }
  }
  // From there to the rows of each lane, by way of a tile.
  const auto put = [&](int tile, const T(&values)[kRows]) {
    __syncwarp();
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const int slot = k * kWarp + lane;
      shared[tile + slot / kRows * kStride + slot % kRows] = values[k];
    }
    __syncwarp();
  };
  const auto turn = [&](const T(&values)[kRows], T(&turned)[kRows]) {
    put(base, values);
#pragma unroll
    for (int i = 0; i < kRows; ++i) turned[i] = shared[base + lane * kStride + i];
  };
  Chunk<T, kRows, Values> chunk;
  turn(lower, chunk.lower);
  turn(diag, chunk.diag);
  if constexpr (kInRegisters<T, kRows>) {
    turn(upper, chunk.upper);
    turn(rhs, chunk.rhs);
  } else {
    put(base + kTile, upper);
    put(base, rhs);
    chunk.upper = {base + kTile + lane * kStride, 1};
    chunk.rhs = {base + lane * kStride, 1};
  }

  const std::int64_t system = first + (lane >> log2_lanes);
  const int place = lane & (lanes - 1);  // of the lane's run in its system
  int failed = chunk.eliminate();
  Row<T> next = shuffle_row(chunk.first_row(), (lane + 1) % kWarp);
  if (place + 1 == lanes) next = {0, 0, 0};
  T pivot;
  Row<T> row = chunk.last_row(next, pivot);
  bool all_usable = divide(row, pivot);
  for (int distance = 1; distance < lanes; distance *= 2) {
    Row<T> before = shuffle_row(row, (lane - distance) & (kWarp - 1));
    Row<T> after = shuffle_row(row, (lane + distance) % kWarp);
    if (place < distance) before = {0, 0, 0};
    if (place + distance >= lanes) after = {0, 0, 0};
    all_usable &= divide(row, reduce_row(row, before, after));
  }
  const T left = shuffle(row.rhs, (lane + kWarp - 1) % kWarp);
  chunk.substitute(place > 0 ? left : T(0), row.rhs);
  if (failed == kRows && !all_usable) failed = kRows - 1;
  if (failed < kRows && system < a.count) report_pivot(a, system, place * kRows + failed);

  // And back again.
  if constexpr (kInRegisters<T, kRows>) {
    __syncwarp();
#pragma unroll
    for (int i = 0; i < kRows; ++i) shared[base + lane * kStride + i] = chunk.rhs[i];
  }
  __syncwarp();
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    const int slot = k * kWarp + lane, row = slot & (length - 1);
    const std::int64_t system = first + (slot >> log2_length);
    if (inside(kFit, a, first, system, row)) {
      const std::int64_t v = kFit == Fit::loose ? a.start(a.vector, system) + row : first_v + slot;
      a.x[v] = shared[base + slot / kRows * kStride + slot % kRows];
    }
  }
}

template <class C, int kRows>
void with_rows(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const int log2_lanes = std::bit_width(std::uint64_t(ceil_div(a.n, kRows) - 1));
  const int systems = kWarp >> log2_lanes;  // of a warp
  const bool dense = a.n == std::int64_t(kRows) << log2_lanes && a.count % systems == 0 &&
                     a.inner == a.count && a.vector.system == a.n && a.matrix.system == a.n;
  auto* kernel = dense          ? warp_hybrid_systems<C, kRows, Fit::dense>
                 : systems == 1 ? warp_hybrid_systems<C, kRows, Fit::one>
                                : warp_hybrid_systems<C, kRows, Fit::loose>;
  constexpr int kTiles = kInRegisters<T, kRows> ? 1 : 2;
  launch(ctx, ceil_div(a.count, systems * kWarps), kWarps * kWarp,
         kWarps * kTiles * kWarp * (kRows + 1) * sizeof(T), kernel, a, log2_lanes);
}

template <class C>
void warp_hybrid(const typename C::Args& a, Context& ctx) {
  if (a.n <= 8 * kWarp)
    with_rows<C, 8>(a, ctx);
  else if (a.n <= 16 * kWarp)
    with_rows<C, 16>(a, ctx);
  else
    with_rows<C, 32>(a, ctx);
}

std::string refuses(const Tridiagonal::Shape& shape, CaseId id) {
  if (shape.systems.row != 1 && shape.systems.n > 1) return "for systems in one piece only";
  if (shape.systems.n > 32 * kWarp) return "takes up to 1024 rows, 32 for each lane of a warp";
  return Tridiagonal::refuse_pivot(shape, id);
}

REGISTER(Tridiagonal, warp_hybrid,
         .note = "systems in registers: runs of rows per lane, shuffles between them", .refuses = refuses)

}  // namespace
}  // namespace tandem
