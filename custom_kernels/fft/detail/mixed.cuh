#pragma once
// Rows of lengths without prime factors above 7 in shared memory: passes of radix 8, 4, 2, 3, 5 and 7.

#include <algorithm>
#include <span>

#include "custom_kernels/fft/detail/shared_part.cuh"
#include "custom_kernels/fft/detail/stockham.h"
#include "lib/ops/fft/constants.h"

namespace tandem {

inline constexpr int kLongestMixed = 4096;  // numbers of a row: two buffers must fit
inline constexpr int kShortRows = 1024;     // numbers of a block's rows where they are short

/// Quotients of numbers below 2^20 by one that the host knows, up to kLongestMixed: a product in place of a division.
class Divisor {
 public:
  Divisor() = default;
  explicit Divisor(int d) : reciprocal_(((std::uint64_t{1} << 32) + d - 1) / d) {}
  TANDEM_HD int quotient(int i) const {
    return static_cast<int>(static_cast<unsigned>(i) * reciprocal_ >> 32);
  }

 private:
  std::uint64_t reciprocal_;
};

/// The passes of a row of n numbers.
struct MixedPasses {
  static constexpr int kMost = 12;  // of radix 2
  int n, count = 0;
  int radix[kMost], stride[kMost];
  Divisor by_n, by_stride[kMost], by_butterflies[kMost];

  explicit MixedPasses(std::int64_t length) : n(static_cast<int>(length)), by_n(n) {
    const Radices radices(length);
    for (int product = 1; count < radices.count; product *= radix[count++]) {
      radix[count] = radices.each[count], stride[count] = product;
      by_stride[count] = Divisor(product), by_butterflies[count] = Divisor(n / radix[count]);
    }
  }
  template <class T>
  const Complex<T>* roots(Context& ctx) const {
    return pass_roots<T>(ctx, std::span(radix, static_cast<std::size_t>(count)));
  }
};

/// What a block takes: as many rows as give its threads work, or have `numbers`.
template <class T>
struct MixedBlock {
  int n, rows;
  MixedBlock(std::int64_t n, std::int64_t batch, std::int64_t numbers = kShortRows)
      : n(static_cast<int>(n)), rows(static_cast<int>(std::clamp<std::int64_t>(numbers / n, 1, batch))) {}
  int threads() const { return std::clamp((n * rows / 8 + 31) / 32 * 32, 32, kMostThreads); }
  std::size_t shared_bytes() const {
    return 2 * static_cast<std::size_t>(line_size<T>(n * rows)) * sizeof(Complex<T>);
  }

 private:
  static constexpr int kMostThreads = 256;
};

/// Numbers of rows that lie one behind the other, from number `first` on, in a part of shared memory.
template <class T>
struct MixedRows {
  SharedPart<T> part;
  int first = 0;
  __device__ MixedRows operator+(int i) const { return {part, first + i}; }
  __device__ Complex<T>& operator[](int i) const { return part[place_in_line<T>(first + i)]; }
};

/// Fills the rows of a block with load(row, j), the row being one of the block's `numbers` / n. A thread has eight loads under way
/// before it stores the first: past the end it loads the last number again, since a branch would wait for each.
template <class T, class Load>
__device__ void load_rows(MixedRows<T> to, const MixedPasses& passes, int numbers, Load load) {
  constexpr int kAhead = 8;
  const int step = static_cast<int>(blockDim.x);
  for (int begin = static_cast<int>(threadIdx.x); begin < numbers; begin += kAhead * step) {
    Complex<T> x[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const int at = min(begin + i * step, numbers - 1), row = passes.by_n.quotient(at);
      x[i] = load(row, at - row * passes.n);
    }
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      if (begin + i * step < numbers) to[begin + i * step] = x[i];
    }
  }
}

template <int R, class T>
__device__ void mixed_pass(MixedRows<T> from, MixedRows<T> to, const MixedPasses& passes, int pass,
                           int numbers, const Complex<T>* roots) {
  const int n = passes.n, stride = passes.stride[pass], butterflies = n / R;
  const Divisor by_stride = passes.by_stride[pass], by_butterflies = passes.by_butterflies[pass];
  for (int i = static_cast<int>(threadIdx.x); i < numbers / R; i += static_cast<int>(blockDim.x)) {
    const int row = by_butterflies.quotient(i), j = i - row * butterflies;
    const int k = j - by_stride.quotient(j) * stride;
    Complex<T> v[R];
#pragma unroll
    for (int r = 0; r < R; ++r) v[r] = from[row * n + j + r * butterflies];
    if (stride > 1) turn<R>(v, [&](int bit) { return roots[bit * stride + k]; });
    butterfly<R>(v);
#pragma unroll
    for (int r = 0; r < R; ++r) to[row * n + (j - k) * R + k + r * stride] = v[r];
  }
}

/// Transforms rows that lie one behind the other in `from`, `numbers` in all; returns where the results are, from or to. All
/// threads of the block call it, and meet before and behind it. roots: passes.roots().
template <class T>
__device__ MixedRows<T> mixed_passes(MixedRows<T> from, MixedRows<T> to, const MixedPasses& passes,
                                     int numbers, const Complex<T>* roots) {
  for (int pass = 0; pass < passes.count; ++pass) {
    __syncthreads();
    const auto each = [&]<int R>() {
      mixed_pass<R>(from, to, passes, pass, numbers, roots);
      if (passes.stride[pass] > 1) roots += powers_of_two_below(R) * passes.stride[pass];
    };
    switch (passes.radix[pass]) {
      case 2:
        each.template operator()<2>();
        break;
      case 3:
        each.template operator()<3>();
        break;
      case 4:
        each.template operator()<4>();
        break;
      case 5:
        each.template operator()<5>();
        break;
      case 7:
        each.template operator()<7>();
        break;
      default:
        each.template operator()<8>();
    }
    const MixedRows<T> written = to;
    to = from, from = written;
  }
  __syncthreads();
  return from;
}

}  // namespace tandem
