#pragma once
// Contiguous systems in the registers of a warp, a run of rows per lane: the kernel behind tridiagonal/custom/warp_hybrid,
// and behind tandem::tridiagonal for coefficients that a functor computes (lib/tandem.cuh).

#include <bit>

#include "tandem/device/async_copies.cuh"
#include "custom_kernels/tridiagonal/detail/chunk.cuh"
#include "tandem/device/warp_exchange.cuh"

namespace tandem {

constexpr int kWarpMostRows = 32 * kWarp;
template <int kRows>
constexpr int kLog2 = std::bit_width(unsigned(kRows)) - 1;
/// The rows of a lane fit into its registers.
template <class T, int kRows>
constexpr bool kInRegisters = kRows * sizeof(T) <= 64;
/// Of a block; they have nothing to do with each other. Where shared memory holds their rows, its size counts them.
template <class T, int kRows>
constexpr int kWarpsPerBlock = kInRegisters<T, kRows> ? 4 : 1;
/// Of a warp.
template <class T, int kRows>
constexpr int kTiles = kInRegisters<T, kRows> ? 1 : 4;

/// How systems fit into a warp. loose: 32 / lanes of them, of up to lanes · kRows rows, lanes a power of two; what lies
/// beyond a system's end counts as rows of the identity. one: a single one, lanes is 32. dense: loose, but of exactly so
/// many rows, one system behind the other.
enum class Fit { loose, one, dense };

template <class Args>
__device__ bool inside(Fit fit, const Args& a, std::int64_t first, std::int64_t system, int row) {
  return fit == Fit::dense ? first < a.count : (fit == Fit::one ? first : system) < a.count && row < a.n;
}

template <class C, int kRows, Fit kFit, class Rows>
__global__ void __launch_bounds__(kWarpsPerBlock<typename C::T, kRows>* kWarp)
    warp_systems(typename C::Args a, Rows rows, int log2_lanes) {
  using T = typename C::T;
  constexpr bool kRegisters = kInRegisters<T, kRows>;
  using Tile = WarpTile<T, kRows>;
  using Values = std::conditional_t<kRegisters, T[kRows], SharedColumn<T>>;
  auto shared = dynamic_shared<T>();
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const auto tile = [&](int array) -> Tile { return {(warp * kTiles<T, kRows> + array) * Tile::kSize}; };
  const int lanes = 1 << log2_lanes, log2_length = log2_lanes + kLog2<kRows>, length = 1 << log2_length;
  const std::int64_t first = (std::int64_t(blockIdx.x) * kWarpsPerBlock<T, kRows> + warp) << (5 - log2_lanes);
  const std::int64_t first_m = kFit == Fit::dense ? first * a.n
                               : first < a.count  ? a.start(a.matrix, first)
                                                  : 0;
  const std::int64_t first_v = kFit == Fit::dense ? first_m : first < a.count ? a.start(a.vector, first) : 0;

  // Slot k · 32 + lane, so that neighbouring lanes have neighbours. Numbers wait in registers, or where they are needed.
  T loaded[4][kRegisters ? kRows : 1];
  AsyncCopies<T, 4 * kRows> copies;
  enum { kRhs, kDiag, kUpper, kLower };
  const auto place = [&](int array, int k) -> T& {
    if constexpr (kRegisters)
      return loaded[array][k];
    else
      return tile(array).across(k);
  };
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    const int slot = k * kWarp + lane, row = slot & (length - 1);
    const std::int64_t system = first + (slot >> log2_length);
    const bool real = inside(kFit, a, first, system, row), has_lower = real && row > 0,
               has_upper = real && row + 1 < a.n;
    if constexpr (kIsStored<Rows>) {
      const std::int64_t m = kFit != Fit::loose ? first_m + slot : real ? a.start(a.matrix, system) + row : 0;
      const std::int64_t v = kFit != Fit::loose ? first_v + slot : real ? a.start(a.vector, system) + row : 0;
      bring<kRegisters>(copies, place(kLower, k), has_lower, a.lower + m, T(0));
      bring<kRegisters>(copies, place(kDiag, k), real, a.diag + m, T(1));
      bring<kRegisters>(copies, place(kUpper, k), has_upper, a.upper + m, T(0));
      bring<kRegisters>(copies, place(kRhs, k), real, a.rhs + v, T(0));
    } else {
      const TridiagonalRow<T> values = real ? rows(system, row) : TridiagonalRow<T>{0, 1, 0, 0};
      place(kLower, k) = has_lower ? values.lower : T(0);
      place(kDiag, k) = values.diag;
      place(kUpper, k) = has_upper ? values.upper : T(0);
      place(kRhs, k) = values.rhs;
    }
  }
  Chunk<T, kRows, Values> chunk;
  Values diag;
  if constexpr (kRegisters) {  // to the rows of each lane, by way of the tile
    tile(0).to_runs(loaded[kLower], chunk.lower);
    tile(0).to_runs(loaded[kDiag], diag);
    tile(0).to_runs(loaded[kUpper], chunk.upper);
    tile(0).to_runs(loaded[kRhs], chunk.rhs);
  } else {
    copies.wait();
    __syncwarp();
#pragma unroll
    for (int i = 0; i < kRows; ++i) chunk.lower[i] = shared[tile(kLower).run() + i];
    diag = {tile(kDiag).run(), 1};
    chunk.upper = {tile(kUpper).run(), 1};
    chunk.rhs = {tile(kRhs).run(), 1};
  }

  const std::int64_t system = first + (lane >> log2_lanes);
  const int run = lane & (lanes - 1);  // of its system
  int failed = chunk.eliminate(diag);
  Row<T> next = shuffle_row(chunk.first_row(), (lane + 1) % kWarp);
  if (run + 1 == lanes) next = {0, 0, 0};
  T pivot;
  Row<T> row = chunk.last_row(next, pivot);
  bool all_usable = divide(row, pivot);
  for (int distance = 1; distance < lanes; distance *= 2) {
    Row<T> before = shuffle_row(row, (lane - distance) & (kWarp - 1));
    Row<T> after = shuffle_row(row, (lane + distance) % kWarp);
    if (run < distance) before = {0, 0, 0};
    if (run + distance >= lanes) after = {0, 0, 0};
    all_usable &= divide(row, reduce_row(row, before, after));
  }
  const T left = shuffle(row.rhs, (lane + kWarp - 1) % kWarp);
  chunk.substitute(run > 0 ? left : T(0), row.rhs);
  if (failed == kRows && !all_usable) failed = kRows - 1;
  if (failed < kRows && system < a.count) report_pivot(a, system, run * kRows + failed);

  // And back again.
  if constexpr (kRegisters)
    tile(0).from_runs(chunk.rhs);
  else
    __syncwarp();
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    const int slot = k * kWarp + lane, row = slot & (length - 1);
    const std::int64_t system = first + (slot >> log2_length);
    if (inside(kFit, a, first, system, row)) {
      const std::int64_t v = kFit == Fit::loose ? a.start(a.vector, system) + row : first_v + slot;
      a.x[v] = tile(kRhs).across(k);
    }
  }
}

/// kShort: several systems may share a warp.
template <class C, int kRows, bool kShort, class Rows>
void warp_with_rows(const typename C::Args& a, const Rows& rows, Context& ctx) {
  using T = typename C::T;
  const int log2_lanes = std::bit_width(std::uint64_t(ceil_div(a.n, kRows) - 1));
  const int systems = kWarp >> log2_lanes;  // of a warp
  const bool dense = a.n == std::int64_t(kRows) << log2_lanes && a.count % systems == 0 &&
                     a.inner == a.count && a.vector.system == a.n && a.matrix.system == a.n;
  constexpr Fit kSeveral = kShort ? Fit::loose : Fit::one;
  auto* kernel = dense          ? warp_systems<C, kRows, Fit::dense, Rows>
                 : systems == 1 ? warp_systems<C, kRows, Fit::one, Rows>
                                : warp_systems<C, kRows, kSeveral, Rows>;
  constexpr int kBlock = kWarpsPerBlock<T, kRows>;
  launch(ctx, ceil_div(a.count, systems * kBlock), kBlock * kWarp,
         kBlock * kTiles<T, kRows> * WarpTile<T, kRows>::kSize * sizeof(T), kernel, a, rows, log2_lanes);
}

/// Solves systems in one piece of up to kWarpMostRows rows.
template <class C, class Rows>
void warp_per_system(const typename C::Args& a, const Rows& rows, Context& ctx) {
  if (a.n <= 8 * kWarp)
    warp_with_rows<C, 8, true>(a, rows, ctx);
  else if (a.n <= 16 * kWarp)
    warp_with_rows<C, 16, false>(a, rows, ctx);
  else
    warp_with_rows<C, 32, false>(a, rows, ctx);
}

}  // namespace tandem
