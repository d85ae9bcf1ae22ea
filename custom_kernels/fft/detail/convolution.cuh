#pragma once
// Long rows of any length, as convolutions that the four steps make.

#include "custom_kernels/fft/detail/four_step.cuh"
#include "lib/ops/fft/constants.h"

namespace tandem {

constexpr bool takes_long_convolution(std::int64_t n) {
  const std::int64_t m = Fft::convolution_size(n);
  return m >= kLeastFourStep && m <= kMostFourStep;
}

namespace detail {
template <class Args, class T>
struct LoadChirped {
  Args a;
  Chirp<T> c;
  __device__ Complex<T> operator()(std::int64_t row, std::int64_t j) const {
    return j < c.n ? a.load(row, j) * c.chirp[j] : Complex<T>{0, 0};
  }
};
/// What a forward transform makes an inverse one of.
template <class T>
struct StoreProduct {
  Complex<T>* products;
  Chirp<T> c;
  __device__ void operator()(std::int64_t row, std::int64_t k, Complex<T> x) const {
    products[row * c.m + k] = swapped(x * c.spectrum[k]);
  }
};
template <class T>
struct LoadProduct {
  const Complex<T>* products;
  std::int64_t m;
  __device__ Complex<T> operator()(std::int64_t row, std::int64_t j) const { return products[row * m + j]; }
};
template <class Args, class T>
struct StoreChirped {
  Args a;
  Chirp<T> c;
  __device__ void operator()(std::int64_t row, std::int64_t k, Complex<T> x) const {
    if (k < c.n) a.store(row, k, swapped(x) * c.chirp[k]);
  }
};
}  // namespace detail

/// Transforms rows of a length that takes_long_convolution(), with three arrays of scratch of the convolution's length.
template <class T, class Args>
void convolve_rows(Context& ctx, const Args& a) {
  const Chirp<T> c = chirp_of<T>(ctx, a.n);
  auto* products = ctx.scratch<Complex<T>>(c.m * a.batch);
  four_step<T>(ctx, c.m, a.batch, detail::LoadChirped<Args, T>{a, c}, detail::StoreProduct<T>{products, c});
  four_step<T>(ctx, c.m, a.batch, detail::LoadProduct<T>{products, c.m}, detail::StoreChirped<Args, T>{a, c});
}

}  // namespace tandem
