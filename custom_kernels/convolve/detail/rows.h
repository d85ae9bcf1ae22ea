#pragma once
// Rows of any length on the CPU: there, times the filter, and back.

#include "custom_kernels/fft/detail/row.h"
#include "lib/ops/convolve/contract.h"

namespace tandem {

/// Convolves rows of a call, one or as many as a vector has lanes.
template <class C>
class ConvolveRows {
 public:
  using T = typename C::T;
  using Args = typename C::Args;

  ConvolveRows(const Args& a, Context& ctx) : a_(a), transform_(ctx, a.n) {}
  std::int64_t together() const { return transform_.together(a_.batch); }
  /// Numbers of scratch for each thread that convolves `rows` together.
  std::int64_t scratch(std::int64_t rows) const {
    return transform_.scratch(rows) + a_.n * (rows > 1 ? RowTransform<T>::kLanes : 1);
  }
  /// Rows from `row` on, as RowTransform takes them.
  void operator()(std::int64_t row, std::int64_t rows, Complex<T>* scratch) const {
    const Products products{a_, row, scratch + transform_.scratch(rows)};
    transform_(There{products}, row, rows, scratch);
    transform_(Back{products}, row, rows, scratch);
  }

 private:
  struct Products {
    const Args& a;
    std::int64_t first;  // row
    Complex<T>* numbers;
    Complex<T>& at(std::int64_t row, std::int64_t k) const { return numbers[(row - first) * a.n + k]; }
  };
  struct There : Products {
    Complex<T> load(std::int64_t row, std::int64_t j) const { return this->a.load(row, j); }
    void store(std::int64_t row, std::int64_t k, const Complex<T>& x) const {
      this->at(row, k) = this->a.product(k, x);
    }
  };
  struct Back : Products {
    Complex<T> load(std::int64_t row, std::int64_t k) const { return this->at(row, k); }
    void store(std::int64_t row, std::int64_t j, const Complex<T>& y) const { this->a.store(row, j, y); }
  };

  Args a_;
  RowTransform<T> transform_;
};

}  // namespace tandem
