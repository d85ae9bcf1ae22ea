#pragma once
// Rows of any length on the CPU.

#include <algorithm>
#include <cstring>
#include <utility>

#include "custom_kernels/fft/detail/matrix_row.h"

namespace tandem {

enum class RowWay {
  one_by_one,  // passes over single numbers
  in_lanes,    // several rows at once in the lanes of vectors, or parts of one (MatrixRow)
};

/// Where the numbers of fft's rows are read and written, from `row` on. Calls of other operations have such functions of their own
/// where their numbers lie in memory as such.
template <class Args>
requires requires(const Args& a) { a.at(0, 0), a.inverse; }
auto parts_in(const Args& a, std::int64_t row) {
  using T = decltype(Args::factor);
  return RowParts<const T>{&a.at(row, 0)->re, 2 * a.in_distance, 2, a.inverse};
}
template <class Args>
requires requires(const Args& a) { a.at(0, 0), a.inverse; }
auto parts_out(const Args& a, std::int64_t row) {
  using T = decltype(Args::factor);
  return RowParts<T>{&a.out[row * a.out_distance].re, 2 * a.out_distance, 2, a.inverse, a.factor};
}

/// x[k] = x[k] by[k], with the parts swapped or not; numbers of one row or of several.
template <class Number, class T>
[[gnu::flatten]] TANDEM_CLONES void multiply_numbers(Number* x, const Complex<T>* by, std::int64_t n,
                                                     bool swap) {
  for (std::int64_t k = 0; k < n; ++k) {
    const Number product = x[k] * Number{by[k].re, by[k].im};
    x[k] = swap ? swapped(product) : product;
  }
}

/// Transforms rows of one length, forward between a.load(row, j) and a.store(row, k, number).
template <class T>
class RowTransform {
 public:
  static constexpr std::int64_t kLanes = Lanes<T>::kCount;

  /// batch: rows that could be transformed together.
  RowTransform(Context& ctx, std::int64_t n, std::int64_t batch, RowWay way)
      : n_(n), smooth_(Fft::is_smooth(n)) {
    if (!smooth_) chirp_ = chirp_of<T>(ctx, n);
    constexpr std::int64_t kMostNumbers = 1 << 17;  // of all lanes, that they stay in a cache
    const bool fit = size() * kLanes <= kMostNumbers;
    if (way == RowWay::in_lanes && (!fit || batch <= kLanes / 2)) matrix_ = MatrixRow<T>(ctx, size());
    if (matrix_) return;
    if (way == RowWay::in_lanes && fit) together_ = std::min(kLanes, batch);
    constexpr std::int64_t kShortest = 32, kLongest = 100, kCachedBytes = 1 << 21;
    through_copy_ = smooth_ && together_ == kLanes && n >= kShortest && n <= kLongest &&
                    n * batch > kCachedBytes / static_cast<std::int64_t>(sizeof(Complex<T>));
    plan_ = {size(), Radices(size()), roots<T>(ctx, size())};
  }
  /// Rows that are transformed together.
  std::int64_t together() const { return together_; }
  /// Numbers of scratch for each thread.
  std::int64_t scratch() const {
    return (2 * room() + kGap) * (together_ > 1 ? kLanes : 1) + (matrix_ ? matrix_.scratch() : 0);
  }

  /// Whether rows are transformed one at a time, each as matrix().
  bool as_matrix() const { return matrix_ && smooth_; }
  const MatrixRow<T>& matrix() const { return matrix_; }

  /// Rows from `row` on, at most together(). All are loaded before one is stored.
  template <class Args>
  void operator()(const Args& a, std::int64_t row, std::int64_t rows, Complex<T>* scratch) const {
    there_and_back(a, row, rows, scratch, nullptr);
  }
  /// The same, then between(numbers), which holds the results of all rows in lanes or of one, and a second transform.
  template <class Args, class Between>
  void there_and_back(const Args& a, std::int64_t row, std::int64_t rows, Complex<T>* scratch,
                      const Between& between) const {
    if (together_ > 1)
      transform(a, row, rows, reinterpret_cast<Complex<Lanes<T>>*>(scratch), between);
    else
      transform(a, row, rows, scratch, between);
  }

 private:
  // Numbers between the halves of the scratch, which would else lie a multiple of 4 KiB apart where n is a power of two: a processor
  // takes a load for one of a pending store whose address ends in the same 12 bits.
  static constexpr std::int64_t kGap = 8;

  std::int64_t size() const { return smooth_ ? n_ : chirp_.m; }
  /// So many numbers that what lies behind them may be vectors.
  std::int64_t room() const { return (size() + kLanes - 1) / kLanes * kLanes; }

  static T& lane(T& part, std::int64_t) { return part; }
  static T& lane(Lanes<T>& part, std::int64_t i) { return part.lane(i); }

  template <class Args, class Number, class Between>
  void transform(const Args& a, std::int64_t row, std::int64_t rows, Number* x,
                 const Between& between) const {
    constexpr bool kTwice = !std::is_null_pointer_v<Between>;
    if constexpr (std::is_same_v<Number, Complex<T>> && !kTwice && requires { parts_in(a, row); }) {
      const auto in = parts_in(a, row);
      const auto out = parts_out(a, row);
      if (as_matrix() && in.first && out.first) return matrix_(in, out, x, x + room());
    }
    Number* const work = x + room() + kGap;
    load(a, row, rows, x, work);
    const auto other = [&](Number* one) { return one == x ? work : x; };
    Number* result = of_any_length(x, work);
    if constexpr (kTwice) {
      between(result);
      result = of_any_length(result, other(result));
    }
    store(a, row, rows, result, other(result));
  }
  /// Transforms n numbers; returns where the results are, x or work.
  template <class Number>
  Number* of_any_length(Number* x, Number* work) const {
    if (smooth_) return passes(x, work);
    const auto& [n, m, chirp, spectrum] = chirp_;
    multiply_numbers(x, chirp, n, false);
    std::fill(x + n, x + m, Number{0, 0});
    Number* const product = passes(x, work);
    multiply_numbers(product, spectrum, m, true);
    Number* const result = passes(product, product == x ? work : x);
    for (std::int64_t k = 0; k < n; ++k) result[k] = swapped(result[k]);
    multiply_numbers(result, chirp, n, false);
    return result;
  }
  template <class Number>
  Number* passes(Number* x, Number* work) const {
    if constexpr (std::is_same_v<Number, Complex<T>>) {
      if (matrix_) {
        Complex<T>* const behind = std::max(x, work) + room();
        matrix_({&x->re}, {&x->re}, work, behind);
        return x;
      }
    }
    return stockham(x, work, plan_);
  }

  /// Whether rows go through `spare`, which has room for them.
  template <class U>
  bool through_copy(const RowParts<U>& parts, std::int64_t rows) const {
    return through_copy_ && rows == kLanes && parts.along == 2 && parts.across == 2 * n_;
  }
  template <class Args, class Number>
  void load(const Args& a, std::int64_t row, std::int64_t rows, Number* x,
            [[maybe_unused]] Number* spare) const {
    if constexpr (std::is_same_v<Number, Complex<Lanes<T>>> && requires { parts_in(a, row); }) {
      auto in = parts_in(a, row);
      if (in.first && through_copy(in, rows)) {
        std::memcpy(static_cast<void*>(spare), in.first, sizeof *spare * n_);
        in.first = reinterpret_cast<const T*>(spare);
      }
      if (in.first) return load_lanes<T>(in, rows, n_, x);
    }
    for (std::int64_t j = 0; j < n_; ++j) {
      x[j] = Number{0, 0};  // lanes without a row
      for (std::int64_t i = 0; i < rows; ++i) {
        const Complex<T> number = a.load(row + i, j);
        lane(x[j].re, i) = number.re, lane(x[j].im, i) = number.im;
      }
    }
  }
  template <class Args, class Number>
  void store(const Args& a, std::int64_t row, std::int64_t rows, Number* x,
             [[maybe_unused]] Number* spare) const {
    if constexpr (std::is_same_v<Number, Complex<Lanes<T>>> && requires { parts_out(a, row); }) {
      auto out = parts_out(a, row);
      if (out.first && through_copy(out, rows)) {
        T* const results = std::exchange(out.first, reinterpret_cast<T*>(spare));
        store_lanes<T>(x, rows, n_, out);
        std::memcpy(results, static_cast<const void*>(spare), sizeof *spare * n_);
        return;
      }
      if (out.first) return store_lanes<T>(x, rows, n_, out);
    }
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t k = 0; k < n_; ++k) a.store(row + i, k, {lane(x[k].re, i), lane(x[k].im, i)});
    }
  }

  std::int64_t n_;
  bool smooth_;
  std::int64_t together_ = 1;
  // Short rows of large arrays are copied in one piece on their way into the lanes and back: memory that is read and written line
  // after line comes and goes ahead of its use, where eight rows side by side wait for each line.
  bool through_copy_ = false;
  StockhamPlan<T> plan_;  // of size(), where the matrix has not its own
  MatrixRow<T> matrix_;
  Chirp<T> chirp_{};
};

}  // namespace tandem
