#pragma once
// tridiagonal for coefficients that a functor of the user's own computes where they are needed.

#include <algorithm>
#include <bit>
#include <type_traits>

#include "tandem/device/tridiagonal.cuh"
#include "tandem/device/warp_exchange.cuh"
#include "tandem/tridiagonal.h"

namespace tandem {

namespace detail {

/// A batch whose equations a functor computes. Row i of system s + t·inner goes to x[i·row + s·system +
/// t·block].
template <class T>
struct FunctorSystems {
  T* x;
  std::int64_t n, count, inner;
  std::int64_t row, system, block;
  std::uint64_t* status;  // see PivotFailure

  /// Where row 0 of system s lies in x.
  __device__ std::int64_t start(std::int64_t s) const {
    if (s < inner) return s * system;  // a division takes longer than the rest
    return s % inner * system + s / inner * block;
  }
  /// Called by a thread: row `i` of system `s` as `rows` gives it, without neighbours beyond the ends; behind
  /// the last row and the last system that of the identity.
  template <class F>
  __device__ TridiagonalRow<T> equation(const F& rows, std::int64_t s, std::int64_t i) const {
    if (s >= count || i >= n) return {0, 1, 0, 0};
    TridiagonalRow<T> equation = rows(s, i);
    if (i == 0) equation.lower = 0;
    if (i + 1 == n) equation.upper = 0;
    return equation;
  }
  /// Called by a thread, before x of system `s` is written: a pivot of it was not usable, and showed it in row `row`. Asks
  /// the functor again and reports the row in which elimination from the top meets one, or `row` where it meets none.
  template <class F>
  __device__ void report_first_pivot(const F& rows, std::int64_t s, std::int64_t row) const {
    const auto from_the_top = [&](std::int64_t i) { return equation(rows, s, i); };
    report_pivot(status, n, s, first_unusable_pivot<T>(n, row, from_the_top));
  }
};

/// The rows of a thread fit into its registers.
template <class T, int kRows>
constexpr bool kChunkInRegisters = kRows * sizeof(T) <= 64;

/// Warps of a block, which are independent of each other.
template <class T, int kRows>
constexpr int kFunctorWarps = kChunkInRegisters<T, kRows> ? 4 : 1;

/// As tridiagonal/custom/warp_hybrid: a warp solves 32 / lanes contiguous systems, lanes a power of two, in
/// chunks of kRows rows. It calls the functor for rows in striped arrangement, so that neighbouring lanes
/// have neighbouring rows.
template <class T, int kRows, class F>
__global__ void __launch_bounds__(kFunctorWarps<T, kRows>* kWarp)
    solve_functor_by_warp(FunctorSystems<T> a, F rows, int log2_lanes) {
  constexpr bool kInRegisters = kChunkInRegisters<T, kRows>;
  constexpr int kSize = WarpExchange<T, kRows>::kSize, kAhead = 8;
  using Values = std::conditional_t<kInRegisters, T[kRows], SharedSlice<T>>;
  const int warp = int(threadIdx.x) / kWarp, lane = int(threadIdx.x) % kWarp, base = 4 * warp * kSize;
  const WarpExchange<T, kRows> lower{base}, diag{base + kSize}, upper{base + 2 * kSize},
      rhs{base + 3 * kSize};
  const int lanes = 1 << log2_lanes;
  const std::int64_t first = (std::int64_t(blockIdx.x) * kFunctorWarps<T, kRows> + warp) << (5 - log2_lanes);
  constexpr bool kSingle = kRows > 8;  // longer chunks are for a system that needs all lanes
  const auto system = [&](int k) {
    return kSingle ? first : first + ((k * kWarp + lane) / kRows >> log2_lanes);
  };
  const auto row = [&](int k) {
    return (k * kWarp + lane) & (kSingle ? kRows * kWarp - 1 : kRows * lanes - 1);
  };
#pragma unroll
  for (int k0 = 0; k0 < kRows; k0 += kAhead) {
    TridiagonalRow<T> equations[kAhead];
#pragma unroll
    for (int k = 0; k < kAhead; ++k) equations[k] = a.equation(rows, system(k0 + k), row(k0 + k));
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      lower.striped(k0 + k) = equations[k].lower;
      diag.striped(k0 + k) = equations[k].diag;
      upper.striped(k0 + k) = equations[k].upper;
      rhs.striped(k0 + k) = equations[k].rhs;
    }
  }
  __syncwarp();
  Chunk<T, kRows, Values> chunk;
  if constexpr (!kInRegisters) {
    chunk.upper = {upper.chunk(), 1};
    chunk.rhs = {rhs.chunk(), 1};
  }
  chunk.template eliminate<1>([&](int i) -> TridiagonalRow<T> {
    return {lower.blocked(i), diag.blocked(i), upper.blocked(i), rhs.blocked(i)};
  });
  warp_solve_chunks(chunk, lanes);
  const std::int64_t mine = first + (lane >> log2_lanes);
  if (chunk.failed < kRows && mine < a.count)
    a.report_first_pivot(rows, mine, (lane & (lanes - 1)) * kRows + chunk.failed);
  if constexpr (kInRegisters)
    rhs.store_blocked(chunk.rhs);
  else
    __syncwarp();
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    if (system(k) < a.count && row(k) < a.n) a.x[a.start(system(k)) + row(k)] = rhs.striped(k);
  }
}

template <int kRows, class T, class F>
void launch_functor_by_warp(const FunctorSystems<T>& a, const F& rows, Context& ctx) {
  constexpr int kWarps = kFunctorWarps<T, kRows>;
  const int log2_lanes = std::bit_width(std::uint64_t(ceil_div(a.n, kRows) - 1));
  launch(ctx, ceil_div(a.count, (kWarp >> log2_lanes) * kWarps), kWarps * kWarp,
         4 * kWarps * WarpExchange<T, kRows>::kSize * sizeof(T), solve_functor_by_warp<T, kRows, F>, a, rows,
         log2_lanes);
}

constexpr int kFunctorThreads = 512;  // of a block; a functor may need many registers

/// As tridiagonal/custom/split: a block solves `width` neighbouring systems, and thread t has chunk t / width
/// of system t % width. kAhead rows of a thread are in flight.
template <class T, int kRows, bool kInRegisters, int kAhead, class F>
__global__ void __launch_bounds__(kFunctorThreads)
    solve_functor_by_block(FunctorSystems<T> a, F rows, int width, int chunks) {
  using Values = std::conditional_t<kInRegisters, T[kRows], SharedSlice<T>>;
  const int threads = int(blockDim.x), t = int(threadIdx.x);
  const std::int64_t system = std::int64_t(blockIdx.x) * width + t % width;
  const std::int64_t first = std::int64_t(t / width) * kRows;
  Chunk<T, kRows, Values> chunk;
  if constexpr (!kInRegisters) {
    chunk.upper = {kBlockSolveWords * threads + t, threads};
    chunk.rhs = {(kBlockSolveWords + kRows) * threads + t, threads};
  }
  chunk.template eliminate<kAhead>([&](int i) { return a.equation(rows, system, first + i); });
  block_solve_chunks(chunk, width, chunks);
  if (chunk.failed < kRows && system < a.count) a.report_first_pivot(rows, system, first + chunk.failed);
  __syncthreads();  // it may read x
  if (system >= a.count) return;
  T* x = a.x + a.start(system) + first * a.row;
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    if (first + i < a.n) x[i * a.row] = chunk.rhs[i];
  }
}

/// widest: systems side by side in a block, where its threads suffice.
template <int kRows, bool kInRegisters, int kAhead, class T, class F>
void launch_functor_by_block(const FunctorSystems<T>& a, const F& rows, Context& ctx, int widest) {
  const int chunks = int(ceil_div(a.n, kRows)), width = std::min(widest, kFunctorThreads / chunks);
  const int threads = width * chunks, words = kBlockSolveWords + (kInRegisters ? 0 : 2 * kRows);
  launch(ctx, ceil_div(a.count, width), threads, std::size_t(words) * threads * sizeof(T),
         solve_functor_by_block<T, kRows, kInRegisters, kAhead, F>, a, rows, width, chunks);
}

constexpr std::int64_t kFunctorWarpRows = 32 * kWarp, kFunctorMostRows = 16 * kFunctorThreads;

template <class T, class F>
void solve_functor(const FunctorSystems<T>& a, const F& rows, Context& ctx, bool by_warp) {
  constexpr int kWidth = 64 / sizeof(T);  // systems side by side: 64 bytes of memory in one piece
  if (by_warp && a.n <= 8 * kWarp) return launch_functor_by_warp<8>(a, rows, ctx);
  if (by_warp && a.n <= 16 * kWarp) return launch_functor_by_warp<16>(a, rows, ctx);
  if (by_warp) return launch_functor_by_warp<32>(a, rows, ctx);
  if (a.n <= 128) return launch_functor_by_block<8, true, 8>(a, rows, ctx, 32);
  if constexpr (sizeof(T) == 4) {
    if (a.n <= 256) return launch_functor_by_block<16, true, 16>(a, rows, ctx, kWidth);
  }
  launch_functor_by_block<16, false, 4>(a, rows, ctx, kWidth);
}

}  // namespace detail

/// Solves systems whose coefficients a functor computes where they are needed, so that none are stored: one
/// word per unknown moves, and what the functor reads. Does not wait.
///
/// rows(system, row) → TridiagonalRow<T> is called on the device, once for each row, and again for those of a
/// singular system, before its x is written; systems are numbered s + t·inner as in Systems, whose strides say
/// where x[row] goes. lower of row 0 and upper of row n − 1 are ignored. The functor must be trivially
/// copyable. It may read x, but of its own system only. x: float or double. Accuracy as for the matrices of
/// tridiagonal that need no pivoting; systems of more than 3,072 rows of −1, 2, −1 lose up to two digits.
/// SingularSystem as tridiagonal. Throws InvalidArgument (as tridiagonal; systems.pivot), Unavailable (a context
/// of the host; beyond 8192 rows). O(n · systems) work; allocates nothing. Kernels: as
/// tridiagonal/custom/warp_hybrid for contiguous systems of up to 1024 rows, else as tridiagonal/custom/split.
template <class F, Viewable X>
void tridiagonal(Context& ctx, const F& rows, X&& x, const Systems& systems) {
  using T = element_of<X>;
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "tridiagonal takes float and double");
  static_assert(std::is_trivially_copyable_v<F>, "tridiagonal: the functor is copied to the device as it is");
  const auto y = view(x);
  const detail::Lending lending(ctx);
  detail::translated([&] {
    detail::check_tridiagonal(ctx, systems, detail::const_memory(x), sizeof(T));
    if (systems.pivot)
      throw InvalidArgument("tridiagonal: systems.pivot is true; with a functor it must be false");
    if (systems.n > detail::kFunctorMostRows) {
      throw Unavailable("tridiagonal: n is " + std::to_string(systems.n) + "; with a functor it is at most " +
                        std::to_string(detail::kFunctorMostRows));
    }
    const bool by_warp = systems.row == 1 && systems.n <= detail::kFunctorWarpRows;
    const CallScope call(ctx, by_warp ? "tridiagonal/custom/warp_hybrid" : "tridiagonal/custom/split");
    const detail::FunctorSystems<T> args{
        y.data,      systems.n,      systems.count(), systems.inner,
        systems.row, systems.system, systems.block,   detail::tridiagonal_status(ctx)};
    detail::solve_functor(args, rows, ctx, by_warp);
    if (ctx.place() != Place::device) ctx.synchronize();
  });
}

}  // namespace tandem
