#pragma once
// Rows that no block holds, of n = n1 · n2 numbers: transforms of n1 down the columns of a matrix of n2 columns, products with
// roots of n, transforms of n2 (Bailey's four steps; the transposition is part of the stores).

#include <algorithm>

#include "custom_kernels/fft/detail/line.cuh"
#include "lib/ops/fft/constants.h"

namespace tandem {

inline constexpr std::int64_t kLeastFourStep = kHeld * kHeld;
inline constexpr std::int64_t kMostFourStep = std::int64_t{kLongestLine} * kLongestLine;
constexpr bool takes_four_step(std::int64_t n) {
  return Fft::is_power_of_two(n) && n >= kLeastFourStep && n <= kMostFourStep;
}

namespace detail {
/// Neighbouring lines of a block lie in neighbouring lanes: their loads and stores meet in whole sectors.
struct Lines {
  int n;       // numbers of one
  int across;  // lines of a row, and the distance between two numbers of one
  int lines;   // of a block
};

/// Root j of a long row as a product of two, from n >> low_bits and from 1 << low_bits different ones: few enough for the cache of a
/// multiprocessor, where n of them would come from further away than the numbers.
template <class T>
__device__ Complex<T> root_of_two(const Complex<T>* roots, std::int64_t j, int low_bits) {
  return roots[j >> low_bits << low_bits] * roots[j & ((std::int64_t{1} << low_bits) - 1)];
}

/// Columns of a row, to `columns` one behind the other. load(row, j): numbers of a row.
template <int kLast, class Load, class T>
__global__ void __launch_bounds__(kBlockNumbers<T> / kHeld)
    fft_columns(const Load load, Complex<T>* columns, const Lines shape, const Complex<T>* roots,
                const Complex<T>* all_roots, int low_bits) {
  const int n1 = shape.n, n2 = shape.across, threads = n1 / kHeld, tid = static_cast<int>(threadIdx.x);
  const std::int64_t row = blockIdx.x / (n2 / shape.lines);
  const int first = static_cast<int>(blockIdx.x % (n2 / shape.lines)) * shape.lines;
  const int line = tid % shape.lines, t = tid / shape.lines;
  const SharedPart<T> exchange{line * line_size<T>(n1)};
  Complex<T> v[kHeld];
#pragma unroll
  for (int m = 0; m < kHeld; ++m) v[m] = load(row, std::int64_t{t + m * threads} * n2 + first + line);
  transform_line<kLast>(v, exchange, t, n1, roots);
  __syncthreads();
#pragma unroll
  for (int m = 0; m < kHeld; ++m) {
    const int k = t + m * threads;
    exchange[place_in_line<T>(k)] = v[m] * root_of_two(all_roots, std::int64_t{k} * (first + line), low_bits);
  }
  __syncthreads();
  // From now on neighbouring lanes hold neighbours of one column.
  const int column = tid / threads, begin = tid % threads;
  Complex<T>* const to = columns + (row * n2 + first + column) * n1;
#pragma unroll
  for (int m = 0; m < kHeld; ++m) {
    const int k = begin + m * threads;
    to[k] = SharedPart<T>{column * line_size<T>(n1)}[place_in_line<T>(k)];
  }
}

/// Number k1 of each column: results k1, k1 + n1, … of the row. store(row, k, result).
template <int kLast, class Store, class T>
__global__ void __launch_bounds__(kBlockNumbers<T> / kHeld)
    fft_rows(const Store store, const Complex<T>* columns, const Lines shape, const Complex<T>* roots) {
  const int n2 = shape.n, n1 = shape.across, threads = n2 / kHeld, tid = static_cast<int>(threadIdx.x);
  const std::int64_t row = blockIdx.x / (n1 / shape.lines);
  const int k1 = static_cast<int>(blockIdx.x % (n1 / shape.lines)) * shape.lines + tid % shape.lines;
  const int t = tid / shape.lines;
  Complex<T> v[kHeld];
#pragma unroll
  for (int m = 0; m < kHeld; ++m) v[m] = columns[(row * n2 + t + m * threads) * n1 + k1];
  transform_line<kLast>(v, SharedPart<T>{tid % shape.lines * line_size<T>(n2)}, t, n2, roots);
#pragma unroll
  for (int m = 0; m < kHeld; ++m) store(row, std::int64_t{t + m * threads} * n1 + k1, v[m]);
}
}  // namespace detail

/// Transforms `batch` rows of n numbers, a power of two from 64 to 2^24, between load and store, which may be of one memory.
template <class T, class Load, class Store>
void four_step(Context& ctx, std::int64_t n, std::int64_t batch, const Load& load, const Store& store) {
  std::int64_t n1 = kHeld;
  int low_bits = 3;
  while (n1 * n1 < n) n1 *= 2, ++low_bits;
  const std::int64_t n2 = n / n1;
  auto* columns = ctx.scratch<Complex<T>>(n * batch);
  const Complex<T>* all_roots = roots<T>(ctx, n);
  const auto lines_of = [&](std::int64_t length, std::int64_t across) {
    constexpr std::int64_t kMostLines = 8;
    const std::int64_t lines = std::min({kMostLines, kBlockNumbers<T> / length, across});
    return detail::Lines{static_cast<int>(length), static_cast<int>(across), static_cast<int>(lines)};
  };
  const auto launch_lines = [&](const detail::Lines& s, auto kernel, auto... args) {
    launch(ctx, batch * (s.across / s.lines), s.n / kHeld * s.lines,
           static_cast<std::size_t>(s.lines * line_size<T>(s.n)) * sizeof(Complex<T>), kernel, args...);
  };
  with_last_radix(n1, [&]<int kLast>() {
    const detail::Lines shape = lines_of(n1, n2);
    launch_lines(shape, detail::fft_columns<kLast, Load, T>, load, columns, shape, roots<T>(ctx, n1),
                 all_roots, low_bits);
  });
  with_last_radix(n2, [&]<int kLast>() {
    const detail::Lines shape = lines_of(n2, n1);
    launch_lines(shape, detail::fft_rows<kLast, Store, T>, store, columns, shape, roots<T>(ctx, n2));
  });
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
