#pragma once
// Rows that no block holds, of n = n1 · n2 numbers: transforms of n1 down the columns of a matrix of n2 columns, products with
// roots of n, transforms of n2 (Bailey's four steps; the transposition is part of the stores).

#include <algorithm>

#include "custom_kernels/fft/detail/line.cuh"
#include "lib/ops/fft/constants.h"

namespace tandem {

inline constexpr std::int64_t kLeastFourStep = 64;
inline constexpr std::int64_t kMostFourStep = std::int64_t{kLongestLine} * kLongestLine;
constexpr bool takes_four_step(std::int64_t n) {
  return Fft::is_power_of_two(n) && n >= kLeastFourStep && n <= kMostFourStep;
}

namespace detail {
/// Neighbouring lines of a block lie in neighbouring lanes: their loads and stores meet in whole sectors.
struct LinesOfBlock {
  int n;         // numbers of one
  int across;    // lines of a row, and the distance between two numbers of one
  int lines;     // of a block
  int distance;  // in shared memory, from the start of a line to that of the next
};

/// Of as many lines as fill 128 bytes with neighbours. They start in different banks, and the numbers of a line that neighbouring
/// threads hold lie between them.
template <class T>
LinesOfBlock lines_of(std::int64_t length, std::int64_t across) {
  constexpr int kBanks = 128 / static_cast<int>(sizeof(Complex<T>));  // places in all of them
  const int n = static_cast<int>(length);
  const int lines = static_cast<int>(std::min({std::int64_t{kBanks}, kBlockNumbers<T> / length, across}));
  int distance = line_size<T>(n);
  while (distance % kBanks != kBanks / lines % kBanks) ++distance;
  return {n, static_cast<int>(across), lines, distance};
}

/// Threads of the largest block: eight numbers are held of lines of eight, of which a block has at most one for each bank.
template <class T, int kHeld>
inline constexpr int kLineThreads = kHeld == 8 ? 32 : kBlockNumbers<T> / kHeld;
/// Blocks that are to fit into a multiprocessor's registers, so that one computes while another one loads.
inline constexpr int kLineBlocks = 2;

/// Roots of a long row as products of two, root j = high[j >> low_bits] · low[j's other bits]: tables that the cache of a
/// multiprocessor holds, where one of all roots would come from further away than the numbers.
template <class T>
struct LongRoots {
  const Complex<T>*high, *low;
  int low_bits;
  __device__ Complex<T> operator()(int j) const {
    return high[j >> low_bits] * low[j & ((1 << low_bits) - 1)];
  }
};

/// Calls f.operator()<kHeld, kFirst>(): sixteen numbers a thread where a line has as many.
template <class F>
void with_long_line(std::int64_t n, F&& f) {
  if (n < 16) return f.template operator()<8, 1>();
  with_first_radix<16>(n, [&]<int kFirst>() { f.template operator()<16, kFirst>(); });
}

/// Columns of a row, to `columns` one behind the other. load(row, j): numbers of a row.
template <int kHeld, int kFirst, class Load, class T>
__global__ void __launch_bounds__((kLineThreads<T, kHeld>), kLineBlocks)
    fft_columns(const Load load, Complex<T>* columns, const LongRoots<T> long_roots, const LinesOfBlock shape,
                const Complex<T>* roots) {
  const int n1 = shape.n, n2 = shape.across, threads = n1 / kHeld, tid = static_cast<int>(threadIdx.x);
  const std::int64_t row = blockIdx.x / (n2 / shape.lines);
  const int first = static_cast<int>(blockIdx.x % (n2 / shape.lines)) * shape.lines;
  const int line = tid % shape.lines, t = tid / shape.lines, c = first + line;
  const SharedPart<T> exchange{line * shape.distance};
  Complex<T> v[kHeld];
#pragma unroll
  for (int m = 0; m < kHeld; ++m) v[m] = load(row, std::int64_t{t + m * threads} * n2 + c);
  transform_line<kFirst>(v, exchange, t, n1, roots);
  // Number k of column c takes root k·c: that of t, and for each m that of m · threads.
  turn<kHeld>(v, [&](int bit) { return long_roots((threads << bit) * c); });
  const Complex<T> root = long_roots(t * c);
  __syncthreads();
#pragma unroll
  for (int m = 0; m < kHeld; ++m) exchange[place_in_line<T>(t + m * threads)] = v[m] * root;
  __syncthreads();
  // From now on neighbouring lanes hold neighbours of one column.
  const int column = tid / threads, begin = tid % threads;
  Complex<T>* const to = columns + (row * n2 + first + column) * n1;
#pragma unroll
  for (int m = 0; m < kHeld; ++m) {
    const int k = begin + m * threads;
    to[k] = SharedPart<T>{column * shape.distance}[place_in_line<T>(k)];
  }
}

/// Number k1 of each column: results k1, k1 + n1, … of the row. store(row, k, result).
template <int kHeld, int kFirst, class Store, class T>
__global__ void __launch_bounds__((kLineThreads<T, kHeld>), kLineBlocks)
    fft_rows(const Store store, const Complex<T>* columns, const LinesOfBlock shape,
             const Complex<T>* roots) {
  const int n2 = shape.n, n1 = shape.across, threads = n2 / kHeld, tid = static_cast<int>(threadIdx.x);
  const std::int64_t row = blockIdx.x / (n1 / shape.lines);
  const int line = tid % shape.lines, t = tid / shape.lines;
  const int k1 = static_cast<int>(blockIdx.x % (n1 / shape.lines)) * shape.lines + line;
  Complex<T> v[kHeld];
#pragma unroll
  for (int m = 0; m < kHeld; ++m) v[m] = columns[(row * n2 + t + m * threads) * n1 + k1];
  transform_line<kFirst>(v, SharedPart<T>{line * shape.distance}, t, n2, roots);
#pragma unroll
  for (int m = 0; m < kHeld; ++m) store(row, std::int64_t{t + m * threads} * n1 + k1, v[m]);
}

/// The cut of rows of n numbers, and launches over their lines.
template <class T>
struct LongRows {
  std::int64_t n1 = 8, n2, batch;
  LongRoots<T> roots;

  LongRows(Context& ctx, std::int64_t n, std::int64_t batch) : batch(batch) {
    int low_bits = 3;
    while (n1 * n1 < n) n1 *= 2, ++low_bits;
    n2 = n / n1;
    roots = {tandem::roots<T>(ctx, n >> low_bits), first_roots<T>(ctx, n, n1), low_bits};
  }
  /// Launches kernel_of.operator()<kHeld, kFirst>() over `across` lines of each row: args…, their shape, their roots.
  template <class Kernel, class... Args>
  void launch_lines(Context& ctx, std::int64_t length, std::int64_t across, Kernel kernel_of,
                    const Args&... args) const {
    const LinesOfBlock s = lines_of<T>(length, across);
    with_long_line(length, [&]<int kHeld, int kFirst>() {
      launch(ctx, batch * (s.across / s.lines), s.n / kHeld * s.lines,
             static_cast<std::size_t>(s.lines * s.distance) * sizeof(Complex<T>),
             kernel_of.template operator()<kHeld, kFirst>(), args..., s, line_roots<T>(ctx, length, kHeld));
    });
  }
  template <class Load>
  void launch_columns(Context& ctx, const Load& load, Complex<T>* columns) const {
    const auto kernel_of = []<int kHeld, int kFirst>() { return fft_columns<kHeld, kFirst, Load, T>; };
    launch_lines(ctx, n1, n2, kernel_of, load, columns, roots);
  }
};
}  // namespace detail

/// Transforms `batch` rows of n numbers, a power of two from 64 to 2^24, between load and store, which may be of one memory.
template <class T, class Load, class Store>
void four_step(Context& ctx, std::int64_t n, std::int64_t batch, const Load& load, const Store& store) {
  auto* columns = ctx.scratch<Complex<T>>(n * batch);
  const detail::LongRows<T> rows(ctx, n, batch);
  const auto rows_of = []<int kHeld, int kFirst>() { return detail::fft_rows<kHeld, kFirst, Store, T>; };
  rows.launch_columns(ctx, load, columns);
  rows.launch_lines(ctx, rows.n2, rows.n1, rows_of, store, columns);
}

/// Numbers of a call's rows, as its steps load and store them.
template <class Args, class T>
struct LoadRow {
  Args a;
  __device__ Complex<T> operator()(std::int64_t row, std::int64_t j) const { return a.load(row, j); }
};
template <class Args, class T>
struct StoreRow {
  Args a;
  __device__ void operator()(std::int64_t row, std::int64_t k, Complex<T> x) const { a.store(row, k, x); }
};
template <class T, class Args>
void four_step(Context& ctx, const Args& a) {
  four_step<T>(ctx, a.n, a.batch, LoadRow<Args, T>{a}, StoreRow<Args, T>{a});
}

}  // namespace tandem
