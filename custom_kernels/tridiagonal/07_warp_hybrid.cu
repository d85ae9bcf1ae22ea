// Idea:    a system lies in the registers of a warp, or of a part of one: each lane eliminates its run of neighbouring
//          rows down to one unknown, the lanes solve for these by parallel cyclic reduction with shuffles, and each
//          puts them into its run.
// New:     against parallel_cyclic_reduction, O(n) operations, no block barrier and no shared memory between steps.
//          Memory is read in whole lines, each warp then turns its numbers round in shared memory, so contiguous
//          systems need no transposition.
// Expect:  the 5 words per unknown that must move and nothing else; all of a warp's loads are in flight at once.
// Limits:  systems whose rows are neighbours in memory, of up to 32 runs: registers bound their length. Repeats bit for
//          bit.
// Source:  Laszlo, Giles, Appleyard 2016, "Manycore algorithms for batch scalar and block tridiagonal solvers"; Wang
//          1981, "A parallel method for tridiagonal equations".

#include <bit>

#include "custom_kernels/common/chunk.cuh"
#include "custom_kernels/common/warp.cuh"

namespace tandem {
namespace {

constexpr int kWarps = 4;  // of a block; they have nothing to do with each other
template <class T>
constexpr int kMostRows = 128 / sizeof(T);  // of a lane

template <int kRows>
constexpr int kLog2 = std::bit_width(unsigned(kRows)) - 1;

template <class T>
__device__ Row<T> shuffle_row(const Row<T>& row, int lane) {
  return {shuffle(row.lower, lane), shuffle(row.upper, lane), shuffle(row.rhs, lane)};
}

/// A warp has 32 / lanes systems of up to lanes · kRows rows; lanes is a power of two. What lies beyond a system's end
/// counts as rows of the identity.
template <class C, int kRows>
__global__ void __launch_bounds__(kWarps* kWarp) warp_hybrid_systems(typename C::Args a, int log2_lanes) {
  using T = typename C::T;
  constexpr int kStride = kRows + 1;  // an odd stride between lanes: no bank conflicts
  __shared__ Tile<T, kWarps * kWarp * kStride> tile;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const int lanes = 1 << log2_lanes, log2_length = log2_lanes + kLog2<kRows>;
  const int length = 1 << log2_length, base = warp * kWarp * kStride;
  const std::int64_t first = (std::int64_t(blockIdx.x) * kWarps + warp) * (kWarp / lanes);

  // Slot k · 32 + lane, neighbours for neighbouring lanes.
  Chunk<T, kRows> chunk;
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    const int slot = k * kWarp + lane, row = slot & (length - 1);
    const std::int64_t system = first + (slot >> log2_length);
    chunk.lower[k] = chunk.upper[k] = chunk.rhs[k] = T(0);
    chunk.diag[k] = T(1);
    if (system < a.count && row < a.n) {
      const std::int64_t m = a.start(a.matrix, system) + row;
      if (row > 0) chunk.lower[k] = a.lower[m];
      chunk.diag[k] = a.diag[m];
      if (row + 1 < a.n) chunk.upper[k] = a.upper[m];
      chunk.rhs[k] = a.rhs[a.start(a.vector, system) + row];
    }
  }
  // From there to the rows of each lane.
  const auto turn = [&](T(&values)[kRows]) {
    __syncwarp();
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const int slot = k * kWarp + lane;
      tile[base + slot / kRows * kStride + slot % kRows] = values[k];
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < kRows; ++i) values[i] = tile[base + lane * kStride + i];
  };
  turn(chunk.lower), turn(chunk.diag), turn(chunk.upper), turn(chunk.rhs);

  const std::int64_t system = first + (lane >> log2_lanes);
  const int place = lane & (lanes - 1);  // of the lane's run in its system
  int failed = chunk.eliminate();
  Row<T> next = shuffle_row(chunk.first_row(), (lane + 1) % kWarp);
  if (place + 1 == lanes) next = {0, 0, 0};
  T pivot;
  Row<T> row = chunk.last_row(next, pivot);
  bool all_usable = divide(row, pivot);
  for (int distance = 1; distance < lanes; distance *= 2) {
    Row<T> before = shuffle_row(row, (lane - distance) & (kWarp - 1)),
           after = shuffle_row(row, (lane + distance) % kWarp);
    if (place < distance) before = {0, 0, 0};
    if (place + distance >= lanes) after = {0, 0, 0};
    all_usable &= divide(row, reduce_row(row, before, after));
  }
  const T left = shuffle(row.rhs, (lane + kWarp - 1) % kWarp);
  chunk.substitute(place > 0 ? left : T(0), row.rhs);
  if (failed == kRows && !all_usable) failed = kRows - 1;
  if (failed < kRows && system < a.count) report_pivot(a, system, place * kRows + failed);

  // And back again.
  __syncwarp();
#pragma unroll
  for (int i = 0; i < kRows; ++i) tile[base + lane * kStride + i] = chunk.rhs[i];
  __syncwarp();
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    const int slot = k * kWarp + lane, row = slot & (length - 1);
    const std::int64_t system = first + (slot >> log2_length);
    if (system < a.count && row < a.n)
      a.x[a.start(a.vector, system) + row] = tile[base + slot / kRows * kStride + slot % kRows];
  }
}

template <class C, int kRows>
void with_rows(const typename C::Args& a, Context& ctx) {
  const int log2_lanes = std::bit_width(std::uint64_t(ceil_div(a.n, kRows) - 1)), lanes = 1 << log2_lanes;
  launch(ctx, ceil_div(a.count, kWarp / lanes * kWarps), kWarps * kWarp, 0, warp_hybrid_systems<C, kRows>, a,
         log2_lanes);
}

template <class C>
void warp_hybrid(const typename C::Args& a, Context& ctx) {
  if (a.n <= 8 * kWarp)
    with_rows<C, 8>(a, ctx);
  else if (a.n <= 16 * kWarp)
    with_rows<C, 16>(a, ctx);
  else
    with_rows<C, kMostRows<typename C::T>>(a, ctx);
}

std::string refuses(const Tridiagonal::Shape& shape, CaseId id) {
  if (shape.systems.row != 1 && shape.systems.n > 1) return "for systems in one piece only";
  const std::int64_t longest = 128 / std::int64_t(size_of(id.type)) * kWarp;
  if (shape.systems.n > longest)
    return "takes up to " + std::to_string(longest) + " rows, in the registers of a warp";
  return Tridiagonal::refuse_pivot(shape, id);
}

REGISTER(Tridiagonal, warp_hybrid,
         .note = "systems in registers: runs of rows per lane, shuffles between them", .refuses = refuses)

}  // namespace
}  // namespace tandem
