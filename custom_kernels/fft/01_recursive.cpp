// Idea:    the transform of a row is made of those of its even and its odd numbers: X[k] = E[k] + w^k O[k],
//          X[k + n/2] = E[k] − w^k O[k]. Halves are halved again until one number is left.
// New:     against serial, log2(n) levels of n/2 butterflies: 5 n log2(n) operations instead of 8 n².
// Expect:  at n = 1,024 a hundred times serial's speed; halves that fit in a cache stay there until they are done.
// Limits:  powers of two; a call for every node of the tree, down to single numbers, whose strided reads use one number of
//          each cache line at a time.
// Source:  Cooley, Tukey 1965, "An algorithm for the machine calculation of complex Fourier series".

#include "lib/ops/fft/constants.h"

namespace tandem {
namespace {

/// x[0], x[stride], … of a row, n of them, to out. `roots`: of all of the row, n · stride of them.
template <class Args, class T>
void halves(const Args& a, std::int64_t row, std::int64_t first, std::int64_t stride, std::int64_t n,
            Complex<T>* out, const Complex<T>* roots) {
  if (n == 1) {
    out[0] = a.load(row, first);
    return;
  }
  halves(a, row, first, 2 * stride, n / 2, out, roots);
  halves(a, row, first + stride, 2 * stride, n / 2, out + n / 2, roots);
  for (std::int64_t k = 0; k < n / 2; ++k) {
    const Complex<T> even = out[k], odd = out[k + n / 2] * roots[k * stride];
    out[k] = even + odd, out[k + n / 2] = even - odd;
  }
}

template <class C>
void recursive(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const Complex<T>* w = roots<T>(ctx, a.n);
  auto* results = ctx.scratch<Complex<T>>(a.n);
  for (std::int64_t row = 0; row < a.batch; ++row) {
    halves(a, row, 0, 1, a.n, results, w);
    for (std::int64_t k = 0; k < a.n; ++k) a.store(row, k, results[k]);
  }
}

REGISTER(Fft, recursive, .note = "even and odd numbers, halved again and again", .depth = Fft::levels,
         .refuses = Fft::refuse_other_than_powers)

}  // namespace
}  // namespace tandem
