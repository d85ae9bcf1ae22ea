// Idea:    a system lies in a warp, or in a power of two of its lanes: each lane eliminates its chunk of
//          neighbouring rows down to one unknown, the lanes solve for these by parallel cyclic reduction with
//          shuffles, and each substitutes into its chunk.
// New:     against parallel_cyclic_reduction, O(n) operations, no block barrier and no shared memory between
//          steps. Loads are striped, so contiguous systems coalesce without a transposition; each warp
//          exchanges them to blocked arrangement in shared memory.
// Expect:  only the 5 words per unknown that must move; all loads of a warp are in flight at once.
// Limits:  contiguous systems of up to 32 chunks of 32 rows. Chunks too long for registers are loaded into
//          shared memory, and all but their lower diagonals stay there. Deterministic.
// Source:  Laszlo, Giles, Appleyard 2016, "Manycore algorithms for batch scalar and block tridiagonal
//          solvers"; Wang 1981, "A parallel method for tridiagonal equations".

#include <bit>

#include "lib/ops/tridiagonal/pivot.h"
#include "tandem/device/async_copies.cuh"
#include "tandem/device/tridiagonal.cuh"
#include "tandem/device/warp_exchange.cuh"

namespace tandem {
namespace {

constexpr int kMostRows = 32 * kWarp;
/// The rows of a lane fit into its registers.
template <class T, int kRows>
constexpr bool kInRegisters = kRows * sizeof(T) <= 64;
/// Warps of a block, which are independent of each other. Shared memory limits them where it holds systems.
template <class T, int kRows>
constexpr int kWarps = kInRegisters<T, kRows> ? 4 : 1;

/// How systems fill the warp's 32 · kRows slots. padded: 32 / lanes systems, each followed by rows of the
/// identity up to lanes · kRows slots. single: one system, likewise padded. dense: systems of exactly lanes ·
/// kRows rows, one behind the other in memory.
enum class Fit { padded, single, dense };

/// What a warp solves: the 32 / lanes systems from `first` on.
template <class C, int kRows, Fit kFit>
struct WarpPart {
  const typename C::Args& a;
  int log2_lanes, lane;
  std::int64_t first, matrix, vector;  // matrix, vector: where row 0 of system `first` lies

  __device__ WarpPart(const typename C::Args& a, int log2_lanes)
      : a(a), log2_lanes(log2_lanes), lane(threadIdx.x % kWarp) {
    const std::int64_t warp = std::int64_t(blockIdx.x) * kWarps<typename C::T, kRows> + threadIdx.x / kWarp;
    first = warp << (5 - log2_lanes);
    matrix = kFit == Fit::dense ? first * a.n : first < a.count ? a.start(a.matrix, first) : 0;
    vector = kFit == Fit::dense ? matrix : first < a.count ? a.start(a.vector, first) : 0;
  }

  /// A row in lower, diag and upper (at `matrix`) and in rhs and x (at `vector`); padding is not `inside`.
  struct Slot {
    std::int64_t matrix, vector;
    bool inside, has_lower, has_upper;
  };
  /// Element k of the lane in striped arrangement.
  __device__ Slot slot(int k) const {
    const int slot = k * kWarp + lane, row = slot & ((kRows << log2_lanes) - 1);
    const std::int64_t system = kFit == Fit::padded ? first + (slot / kRows >> log2_lanes) : first;
    const bool inside = system < a.count && (kFit == Fit::dense || row < a.n);
    const auto at = [&](std::int64_t row_0_of_first, const Tridiagonal::Strides& strides) -> std::int64_t {
      if (kFit != Fit::padded) return row_0_of_first + slot;
      return inside ? a.start(strides, system) + row : 0;
    };
    return {at(matrix, a.matrix), at(vector, a.vector), inside, inside && row > 0, inside && row + 1 < a.n};
  }

  /// Called by the warp, whose lanes have loaded their chunks: rhs becomes the solution.
  template <class Values>
  __device__ void solve(Chunk<typename C::T, kRows, Values>& chunk, const Values& diag) const {
    chunk.eliminate(diag);
    warp_solve_chunks(chunk, 1 << log2_lanes);
  }

  /// Called by the warp: writes the solutions, which `exchange` holds, and reports the chunk's failed pivot.
  __device__ void store(const WarpExchange<typename C::T, kRows>& exchange, int failed) const {
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      if (const Slot at = slot(k); at.inside) a.x[at.vector] = exchange.striped(k);
    }
    const std::int64_t system = first + (lane >> log2_lanes);
    if (failed < kRows && system < a.count)
      report_first_pivot(a, system, (lane & ((1 << log2_lanes) - 1)) * kRows + failed);
  }
};

/// Chunks in registers: all loads are in flight at once, then the arrays are exchanged one by one.
template <class C, int kRows, Fit kFit>
__global__ void __launch_bounds__(kWarps<typename C::T, kRows>* kWarp)
    systems_in_registers(typename C::Args a, int log2_lanes) {
  using T = typename C::T;
  const WarpPart<C, kRows, kFit> part(a, log2_lanes);
  const WarpExchange<T, kRows> exchange{int(threadIdx.x) / kWarp * WarpExchange<T, kRows>::kSize};
  T lower[kRows], striped_diag[kRows], upper[kRows], rhs[kRows];
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    const auto at = part.slot(k);
    lower[k] = at.has_lower ? a.lower[at.matrix] : T(0);
    striped_diag[k] = at.inside ? a.diag[at.matrix] : T(1);
    upper[k] = at.has_upper ? a.upper[at.matrix] : T(0);
    rhs[k] = at.inside ? a.rhs[at.vector] : T(0);
  }
  Chunk<T, kRows> chunk;
  T diag[kRows];
  exchange.striped_to_blocked(lower, chunk.lower);
  exchange.striped_to_blocked(striped_diag, diag);
  exchange.striped_to_blocked(upper, chunk.upper);
  exchange.striped_to_blocked(rhs, chunk.rhs);
  part.solve(chunk, diag);
  exchange.store_blocked(chunk.rhs);
  part.store(exchange, chunk.failed);
}

/// Chunks in shared memory, into which asynchronous copies load all four arrays: one warp per block.
template <class C, int kRows, Fit kFit>
__global__ void __launch_bounds__(kWarp) systems_in_shared_memory(typename C::Args a, int log2_lanes) {
  using T = typename C::T;
  const WarpPart<C, kRows, kFit> part(a, log2_lanes);
  constexpr int kSize = WarpExchange<T, kRows>::kSize;
  // Always 0, but the compiler does not know that. From constant addresses it loads more ahead than registers
  // can hold.
  const int base = int(threadIdx.x) / kWarp * 4 * kSize;
  const WarpExchange<T, kRows> rhs{base}, diag{base + kSize}, upper{base + 2 * kSize},
      lower{base + 3 * kSize};
  AsyncCopies<T, 4 * kRows> copies;
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    const auto at = part.slot(k);
    copy_or_fill(copies, lower.striped(k), at.has_lower, a.lower + at.matrix, T(0));
    copy_or_fill(copies, diag.striped(k), at.inside, a.diag + at.matrix, T(1));
    copy_or_fill(copies, upper.striped(k), at.has_upper, a.upper + at.matrix, T(0));
    copy_or_fill(copies, rhs.striped(k), at.inside, a.rhs + at.vector, T(0));
  }
  copies.wait();
  __syncwarp();
  Chunk<T, kRows, SharedSlice<T>> chunk;
  lower.load_blocked(chunk.lower);
  chunk.upper = {upper.chunk(), 1};
  chunk.rhs = {rhs.chunk(), 1};
  part.solve(chunk, SharedSlice<T>{diag.chunk(), 1});
  __syncwarp();
  part.store(rhs, chunk.failed);
}

template <class C, int kRows, Fit kFit>
void launch_with(const typename C::Args& a, Context& ctx, int log2_lanes) {
  using T = typename C::T;
  constexpr int kBlock = kWarps<T, kRows>;
  constexpr std::size_t kArrayBytes = WarpExchange<T, kRows>::kSize * sizeof(T);  // of a warp
  const std::int64_t blocks = ceil_div(a.count, (kWarp >> log2_lanes) * kBlock);
  if constexpr (kInRegisters<T, kRows>)
    launch(ctx, blocks, kBlock * kWarp, kBlock * kArrayBytes, systems_in_registers<C, kRows, kFit>, a,
           log2_lanes);
  else
    launch(ctx, blocks, kWarp, 4 * kArrayBytes, systems_in_shared_memory<C, kRows, kFit>, a, log2_lanes);
}

/// kFit: for systems that are neither dense nor in need of a whole warp.
template <class C, int kRows, Fit kFit>
void solve_with_chunks(const typename C::Args& a, Context& ctx) {
  const int log2_lanes = std::bit_width(std::uint64_t(ceil_div(a.n, kRows) - 1)),
            systems = kWarp >> log2_lanes;
  const bool dense = a.n == std::int64_t(kRows) << log2_lanes && a.count % systems == 0 &&
                     a.inner == a.count && a.vector.system == a.n && a.matrix.system == a.n;
  if (dense)
    launch_with<C, kRows, Fit::dense>(a, ctx, log2_lanes);
  else if (systems == 1)
    launch_with<C, kRows, Fit::single>(a, ctx, log2_lanes);
  else
    launch_with<C, kRows, kFit>(a, ctx, log2_lanes);
}

template <class C>
void warp_hybrid(const typename C::Args& a, Context& ctx) {
  if (a.n <= 8 * kWarp)
    solve_with_chunks<C, 8, Fit::padded>(a, ctx);
  else if (a.n <= 16 * kWarp)
    solve_with_chunks<C, 16, Fit::single>(a, ctx);  // more than 16 lanes
  else
    solve_with_chunks<C, 32, Fit::single>(a, ctx);
}

std::string refuses(const Tridiagonal::Shape& shape, CaseId id) {
  if (shape.systems.row != 1 && shape.systems.n > 1) return "takes contiguous systems only";
  if (shape.systems.n > kMostRows) return "takes up to 1024 rows, 32 for each lane of a warp";
  return Tridiagonal::refuse_list_and_pivot(shape, id);
}

REGISTER(Tridiagonal, warp_hybrid,
         .note = "a warp per system: chunks of rows in registers, shuffles between them", .refuses = refuses)

}  // namespace
}  // namespace tandem
