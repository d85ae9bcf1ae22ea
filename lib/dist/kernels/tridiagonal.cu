// A rank's part of tridiagonal systems whose rows the ranks share.
//
// Idea:    split cuts each system into segments, a thread for each. In one walk down its rows a thread eliminates all between the
//          first and the last: it keeps the row above it in terms of the segment's first unknown and of the next one, and the first
//          row in terms of that next one, too. What is left of all segments, two rows each, is walked down once more, to two rows
//          of each system. Once their unknowns are known, what lies between is a batch for tridiagonal(ctx, …), with a right-hand
//          side that set_ends writes.
// Expect:  4 words read for each unknown, and 1/8 of a word written for segments of 64 rows; neighbouring threads have neighbouring
//          systems, so interleaved systems are read in whole lines.
// Limits:  of contiguous systems each thread reads a line of its own. Short systems that are few leave the GPU idle.
// Source:  Wang 1981, "A parallel method for tridiagonal equations"; László, Giles, Appleyard 2016, "Manycore algorithms for batch
//          scalar and block tridiagonal solvers".

#include <algorithm>

#include "lib/dist/kernels/kernels.h"
#include "lib/dist/kernels/place.h"
#include "lib/dist/lost_pivot.h"
#include "lib/ops/tridiagonal/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;
constexpr int kAhead = 4;                           // rows of a thread in flight
constexpr std::int64_t kShortest = 16;              // rows of a segment
constexpr std::int64_t kEnoughThreads = 1 << 19;    // for a large GPU

template <class T>
struct Row {
  T lower, diag, upper, rhs;
};

/// Rows of arrays that lie one behind the other, systems of a row side by side.
template <class T>
struct LeftRows {
  T* all;
  std::int64_t rows, count;
  __device__ T& at(int array, std::int64_t row, std::int64_t system) const {
    return all[(array * rows + row) * count + system];
  }
  __device__ void write(std::int64_t row, std::int64_t system, const Row<T>& x) const {
    at(0, row, system) = x.lower, at(1, row, system) = x.diag, at(2, row, system) = x.upper, at(3, row, system) = x.rhs;
  }
};

/// Segment k of a system leaves its first and its last row, as rows 2k and 2k + 1 (of a segment of one row: row 2k alone).
template <class C, class T = typename C::T>
__global__ void __launch_bounds__(kThreads)
    split_segments(typename C::Args a, bool is_first, bool is_last, std::int64_t segments, LeftRows<T> left, int* lost) {
  const std::int64_t thread = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (thread >= segments * a.count) return;
  const std::int64_t segment = thread / a.count, system = thread % a.count;
  const std::int64_t first = segment * a.n / segments, last = (segment + 1) * a.n / segments - 1;
  const std::int64_t matrix = a.start(a.matrix, system), vector = a.start(a.vector, system);
  const auto row = [&](std::int64_t i) -> Row<T> {
    const std::int64_t at = matrix + i * a.matrix.row;
    return {is_first && i == 0 ? T(0) : a.lower[at], a.diag[at], is_last && i + 1 == a.n ? T(0) : a.upper[at],
            a.rhs[vector + i * a.vector.row]};
  };
  const Row<T> top = row(first);
  if (first == last) return left.write(2 * segment, system, top);
  // x[i] + upper·x[i+1] + lower·x[first] = rhs of the row above; and diag·x[first] + upper·x[i] = rhs of the first one.
  T upper = 0, lower = -1, rhs = 0, first_diag = top.diag, first_upper = top.upper, first_rhs = top.rhs;
  bool any_lost = false;
  for (std::int64_t i = first + 1; i < last; i += kAhead) {
    Row<T> rows[kAhead];
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      if (i + k < last) rows[k] = row(i + k);
    }
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      if (i + k >= last) break;
      const Row<T>& x = rows[k];
      const T pivot = x.diag - x.lower * upper, r = T(1) / pivot;
      any_lost |= detail::is_lost(pivot, x.lower, x.diag, x.upper);
      rhs = (x.rhs - x.lower * rhs) * r;
      lower = -x.lower * lower * r;
      upper = x.upper * r;
      first_diag -= first_upper * lower;
      first_rhs -= first_upper * rhs;
      first_upper = -first_upper * upper;
    }
  }
  const Row<T> bottom = row(last);
  const T last_diag = bottom.diag - bottom.lower * upper;
  any_lost |= detail::is_lost(first_diag, top.lower, top.diag, top.upper) |
              detail::is_lost(last_diag, bottom.lower, bottom.diag, bottom.upper);
  left.write(2 * segment, system, {top.lower, first_diag, first_upper, first_rhs});
  left.write(2 * segment + 1, system,
             {-bottom.lower * lower, last_diag, bottom.upper, bottom.rhs - bottom.lower * rhs});
  if (any_lost) atomicMax(lost, 1);
}

/// Thomas, a thread for each system.
template <class T>
__global__ void __launch_bounds__(kThreads) solve_systems(LeftRows<T> left, int* lost) {
  const std::int64_t s = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (s >= left.count) return;
  T above = 0, rhs = 0;
  bool any_lost = false;
  for (std::int64_t i = 0; i < left.rows; ++i) {
    const T lower = i > 0 ? left.at(0, i, s) : T(0), diag = left.at(1, i, s), upper = left.at(2, i, s);
    const T pivot = diag - lower * above, r = T(1) / pivot;
    any_lost |= detail::is_lost(pivot, lower, diag, upper);
    above = upper * r;
    rhs = (left.at(3, i, s) - lower * rhs) * r;
    left.at(2, i, s) = above, left.at(3, i, s) = rhs;
  }
  for (std::int64_t i = left.rows - 2; i >= 0; --i) {
    rhs = left.at(3, i, s) - left.at(2, i, s) * rhs;
    left.at(3, i, s) = rhs;
  }
  if (any_lost) atomicMax(lost, 1);
}

/// Blocks of threads over all rows of `count` systems. Where rows lie side by side, neighbouring threads have neighbouring rows, else
/// neighbouring systems.
struct Cells {
  std::int64_t n, count;
  bool rows_side_by_side;
  std::int64_t fast() const { return rows_side_by_side ? n : count; }
  std::int64_t blocks() const { return (rows_side_by_side ? count : n) * ceil_div(fast(), kThreads); }
  /// Calls body(system, row).
  template <class Body>
  __device__ void visit(const Body& body) const {
    const std::int64_t length = rows_side_by_side ? n : count, pieces = (length + kThreads - 1) / kThreads;
    const std::int64_t line = blockIdx.x / pieces, place = blockIdx.x % pieces * kThreads + threadIdx.x;
    if (place >= length) return;
    if (rows_side_by_side)
      body(line, place);
    else
      body(place, line);
  }
};

template <class C, class T = typename C::T>
__global__ void __launch_bounds__(kThreads) set_end_rows(typename C::Args a, Cells cells, const T* ends) {
  cells.visit([&](std::int64_t system, std::int64_t row) {
    const std::int64_t at = a.start(a.vector, system) + row * a.vector.row,
                       matrix = a.start(a.matrix, system) + row * a.matrix.row, last = a.n - 1;
    const T first_x = ends[system], last_x = ends[(last > 0 ? a.count : 0) + system];
    T x = row == 0 ? first_x : row == last ? last_x : a.rhs[at];
    if (row == 1 && row < last) x -= a.lower[matrix] * first_x;
    if (row + 1 == last && row > 0) x -= a.upper[matrix] * last_x;
    a.x[at] = x;
  });
}

/// kPack: array to block, else block to array.
template <class C, bool kPack, class T = typename C::T>
__global__ void __launch_bounds__(kThreads) move_rows(typename C::Args a, Cells cells, std::int64_t first, T* block) {
  cells.visit([&](std::int64_t system, std::int64_t row) {
    const std::int64_t at = a.start(a.vector, first + system) + row * a.vector.row, place = row * cells.count + system;
    if constexpr (kPack)
      block[place] = a.rhs[at];
    else
      a.x[at] = block[place];
  });
}

template <class F>
void with_type(Type type, const F& f) {
  if (type == Type::f32)
    f.template operator()<Tridiagonal::Case<float>>();
  else
    f.template operator()<Tridiagonal::Case<double>>();
}

template <class C>
typename C::Args args_of(const RankKernels::Rows& rows, void* x) {
  using T = typename C::T;
  const auto in = [](const void* p) { return static_cast<const T*>(p); };
  return C::args(in(rows.lower), in(rows.diag), in(rows.upper), in(rows.rhs), static_cast<T*>(x), rows.systems, nullptr);
}

std::int64_t segments_of(std::int64_t n, std::int64_t systems) {
  return std::clamp<std::int64_t>(kEnoughThreads / std::max<std::int64_t>(1, systems), 1,
                                  std::max<std::int64_t>(1, n / kShortest));
}

void split(Context& ctx, Type type, const RankKernels::Rows& rows, void* memory, void* left, int* lost) {
  const CallScope call(ctx, "tridiagonal/custom/split");
  with_type(type, [&]<class C>() {
    using T = typename C::T;
    const auto start = [&](const typename C::Args& a, bool is_first, bool is_last, std::int64_t segments, void* to) {
      const LeftRows<T> out{static_cast<T*>(to), std::min<std::int64_t>(a.n, 2 * segments), a.count};
      launch(ctx, ceil_div(segments * a.count, kThreads), kThreads, 0, split_segments<C>, a, is_first, is_last, segments, out,
             lost);
    };
    const auto a = args_of<C>(rows, nullptr);
    const std::int64_t segments = segments_of(a.n, a.count);
    start(a, rows.is_first, rows.is_last, segments, segments > 1 ? memory : left);
    if (segments == 1) return;
    T* const first = static_cast<T*>(memory);
    const std::int64_t array = 2 * segments * a.count;
    start(C::args(first, first + array, first + 2 * array, first + 3 * array, nullptr, interleaved(2 * segments, a.count),
                  nullptr),
          false, false, 1, left);
  });
}

void solve_left(Context& ctx, Type type, void* left, std::int64_t rows, std::int64_t count, int* lost) {
  const CallScope call(ctx, "tridiagonal/custom/split");
  with_type(type, [&]<class C>() {
    using T = typename C::T;
    launch(ctx, ceil_div(count, kThreads), kThreads, 0, solve_systems<T>, LeftRows<T>{static_cast<T*>(left), rows, count},
           lost);
  });
}

void set_ends(Context& ctx, Type type, const RankKernels::Rows& rows, const void* ends, void* x) {
  const CallScope call(ctx, "tridiagonal/custom/split");
  with_type(type, [&]<class C>() {
    const auto a = args_of<C>(rows, x);
    const Cells cells{a.n, a.count, a.vector.row == 1};
    launch(ctx, cells.blocks(), kThreads, 0, set_end_rows<C>, a, cells, static_cast<const typename C::T*>(ends));
  });
}

template <bool kPack>
void move(Context& ctx, Type type, const Systems& systems, std::int64_t first, std::int64_t count, const void* array, void* x,
          void* block) {
  if (count == 0 || systems.n == 0) return;
  const CallScope call(ctx, "tridiagonal/custom/transposed");
  with_type(type, [&]<class C>() {
    const auto a = args_of<C>({nullptr, nullptr, nullptr, array, systems, false, false}, x);
    const Cells cells{a.n, count, a.vector.row == 1};
    launch(ctx, cells.blocks(), kThreads, 0, move_rows<C, kPack>, a, cells, first, static_cast<typename C::T*>(block));
  });
}
void pack(Context& ctx, Type type, const Systems& systems, std::int64_t first, std::int64_t count, const void* array,
          void* block) {
  move<true>(ctx, type, systems, first, count, array, nullptr, block);
}
void unpack(Context& ctx, Type type, const Systems& systems, std::int64_t first, std::int64_t count, const void* block,
            void* array) {
  move<false>(ctx, type, systems, first, count, nullptr, array, const_cast<void*>(block));
}

const bool there = [] {
  RankKernels& all = rank_kernels(kKernelPlace);
  all.split_segments = segments_of;
  all.split = split, all.solve_left = solve_left, all.set_ends = set_ends, all.pack = pack, all.unpack = unpack;
  return true;
}();

}  // namespace
}  // namespace tandem
