// Idea:    a transform of any length is a convolution with a chirp (Bluestein), and this one two transforms of a power of two,
//          here by the four steps: chirps and the spectrum are factors where these load and store.
// New:     against four_step, lengths with any prime factors.
// Expect:  twice the traffic of four_step over two to four times the length.
// Limits:  from 17 to 2^23 points; three arrays of scratch of the convolution's length.
// Source:  Bluestein 1970, "A linear filtering approach to the computation of discrete Fourier transform".

#include "custom_kernels/fft/detail/four_step.cuh"
#include "lib/ops/fft/constants.h"

namespace tandem {
namespace {

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

template <class C>
void long_convolution(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  using Args = typename C::Args;
  const Chirp<T> c = chirp_of<T>(ctx, a.n);
  auto* products = ctx.scratch<Complex<T>>(c.m * a.batch);
  four_step<T>(ctx, c.m, a.batch, LoadChirped<Args, T>{a, c}, StoreProduct<T>{products, c});
  four_step<T>(ctx, c.m, a.batch, LoadProduct<T>{products, c.m}, StoreChirped<Args, T>{a, c});
}

std::string refuses(const Fft::Shape& s, CaseId) {
  const std::int64_t m = Fft::convolution_size(s.n);
  return s.n == 0 || (m >= kLeastFourStep && m <= kMostFourStep) ? "" : "takes lengths from 17 to 2^23";
}

REGISTER(
    Fft, long_convolution, .note = "any length as a convolution by the four steps",
    .depth = Fft::levels_of_convolution, .refuses = refuses, .suits = [](const Fft::Shape& s) {
      return !Fft::is_power_of_two(s.n) && (s.n > kLongestLine || !Fft::is_smooth(s.n));
    })

}  // namespace
}  // namespace tandem
