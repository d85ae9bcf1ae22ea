// Idea:    fft's four steps, turned around in the middle: transforms down the columns; then each block transforms rows of the
//          matrix, multiplies them by the filter, and transforms them back where they are; then columns back.
// New:     against fused_rows, rows that no block holds; against three_launches, three launches in place of five. Decimation in
//          frequency there and in time back: what lies between, numbers k1, k1 + n1, … side by side, is never put in order.
// Expect:  three times the traffic of a copy.
// Limits:  powers of two from 64 to 2^24; columns are read in pieces of 128 bytes, of lines from 1,024 on in shorter ones.
// Source:  Bailey 1990, "FFTs in external or hierarchical memory"; Stockham 1966, "High-speed convolution and correlation".

#include "custom_kernels/fft/detail/four_step.cuh"
#include "lib/ops/convolve/contract.h"

namespace tandem {
namespace {

using detail::LinesOfBlock;
using detail::LongRoots;

/// Number k1 of each column: X[k1 + n1·k2] of a row, times the filter, and back to the columns.
template <int kHeld, int kFirst, class Args, class T>
__global__ void __launch_bounds__((detail::kLineThreads<T, kHeld>), detail::kLineBlocks)
    convolve_turn(const Args a, Complex<T>* columns, const LinesOfBlock shape, const Complex<T>* roots) {
  const int n2 = shape.n, n1 = shape.across, threads = n2 / kHeld, tid = static_cast<int>(threadIdx.x);
  const std::int64_t row = blockIdx.x / (n1 / shape.lines);
  const int line = tid % shape.lines, t = tid / shape.lines;
  const int k1 = static_cast<int>(blockIdx.x % (n1 / shape.lines)) * shape.lines + line;
  const SharedPart<T> exchange{line * shape.distance};
  Complex<T>* const numbers = columns + row * n2 * n1;
  Complex<T> v[kHeld];
#pragma unroll
  for (int m = 0; m < kHeld; ++m) v[m] = numbers[(t + m * threads) * n1 + k1];
  transform_line<kFirst>(v, exchange, t, n2, roots);
#pragma unroll
  for (int m = 0; m < kHeld; ++m) v[m] = a.product((t + m * threads) * n1 + k1, v[m]);
  transform_line<kFirst>(v, exchange, t, n2, roots);
#pragma unroll
  for (int m = 0; m < kHeld; ++m) numbers[(t + m * threads) * n1 + k1] = v[m];
}

/// fft_columns backwards: numbers k of column c, times root k·c, to numbers c, c + n2, … of a row.
template <int kHeld, int kFirst, class Args, class T>
__global__ void __launch_bounds__((detail::kLineThreads<T, kHeld>), detail::kLineBlocks)
    convolve_columns_back(const Args a, const Complex<T>* columns, const LongRoots<T> long_roots,
                          const LinesOfBlock shape, const Complex<T>* roots) {
  const int n1 = shape.n, n2 = shape.across, threads = n1 / kHeld, tid = static_cast<int>(threadIdx.x);
  const std::int64_t row = blockIdx.x / (n2 / shape.lines);
  const int first = static_cast<int>(blockIdx.x % (n2 / shape.lines)) * shape.lines;
  // Neighbouring lanes read neighbours of one column, and then hold neighbouring columns.
  const int column = tid / threads, begin = tid % threads;
  const Complex<T>* const from = columns + (row * n2 + first + column) * n1;
#pragma unroll
  for (int m = 0; m < kHeld; ++m) {
    const int k = begin + m * threads;
    SharedPart<T>{column * shape.distance}[place_in_line<T>(k)] = from[k];
  }
  __syncthreads();
  const int line = tid % shape.lines, t = tid / shape.lines, c = first + line;
  const SharedPart<T> exchange{line * shape.distance};
  const Complex<T> root = long_roots(t * c);
  Complex<T> v[kHeld];
#pragma unroll
  for (int m = 0; m < kHeld; ++m) v[m] = exchange[place_in_line<T>(t + m * threads)] * root;
  turn<kHeld>(v, [&](int bit) { return long_roots((threads << bit) * c); });
  transform_line<kFirst>(v, exchange, t, n1, roots);
#pragma unroll
  for (int m = 0; m < kHeld; ++m) a.store(row, std::int64_t{t + m * threads} * n2 + c, v[m]);
}

template <class C>
void turn_around(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  using Args = typename C::Args;
  auto* columns = ctx.scratch<Complex<T>>(a.n * a.batch);
  const detail::LongRows<T> rows(ctx, a.n, a.batch);
  const auto turn_of = []<int kHeld, int kFirst>() { return convolve_turn<kHeld, kFirst, Args, T>; };
  const auto back_of = []<int kHeld, int kFirst>() { return convolve_columns_back<kHeld, kFirst, Args, T>; };
  rows.launch_columns(ctx, LoadRow<Args, T>{a}, columns);
  rows.launch_lines(ctx, rows.n2, rows.n1, turn_of, a, columns);
  rows.launch_lines(ctx, rows.n1, rows.n2, back_of, a, columns, rows.roots);
}

std::string refuses(const Convolve::Shape& s, CaseId) {
  return s.n == 0 || takes_four_step(s.n) ? "" : "takes powers of two from 64 to 2^24";
}

REGISTER(
    Convolve, turn_around, .note = "the four steps there and back, the filter in the turn between",
    .depth = Convolve::levels, .refuses = refuses,
    .suits = [](const Convolve::Shape& s) { return s.n > 2 * kLongestLine; })

}  // namespace
}  // namespace tandem
