#pragma once
// Roots of unity, made on the CPU at the first call of a length, in a wider type, and kept with the context.

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "lib/ops/fft/contract.h"
#include "tandem/array.h"

namespace tandem {

/// What constants of transforms of T are computed in.
template <class T>
using WideReal = std::conditional_t<std::is_same_v<T, float>, double, long double>;

/// e^(−2πi k/n), 0 ≤ k < n: by the angle to the nearest axis, so that sine and cosine are computed up to 45° alone.
template <class T>
Complex<T> root(std::int64_t k, std::int64_t n) {
  using Wide = WideReal<T>;
  const std::int64_t octant = 8 * k / n, rest = 8 * k % n;
  const Wide angle =
      std::numbers::pi_v<Wide> / 4 * static_cast<Wide>(octant % 2 ? n - rest : rest) / static_cast<Wide>(n);
  const T c = static_cast<T>(std::cos(angle)), s = static_cast<T>(std::sin(angle));
  const bool across = (octant + 1) / 2 % 2;  // nearer to the imaginary axis
  const T re = across ? s : c, im = across ? c : s;
  return {octant >= 2 && octant < 6 ? -re : re, octant < 4 ? -im : im};
}

template <class T>
std::vector<Complex<T>> make_roots(std::int64_t n) {
  std::vector<Complex<T>> all(static_cast<std::size_t>(n));
  for (std::int64_t k = 0; k < n; ++k) all[static_cast<std::size_t>(k)] = root<T>(k, n);
  return all;
}

/// Constants of a length in the memory of a context. `what` tells those of one length apart.
template <class T, class Make>
const Complex<T>* kept_constants(Context& ctx, const char* what, std::int64_t n, Make make) {
  const std::string key =
      std::string("fft ") + what + (sizeof(T) == 4 ? " f32 " : " f64 ") + std::to_string(n);
  return ctx.keep<Array<Complex<T>>>(key, [&] { return Array<Complex<T>>(ctx, make()); }).data();
}

/// e^(−2πi k/n), k = 0 … n−1.
template <class T>
const Complex<T>* roots(Context& ctx, std::int64_t n) {
  return kept_constants<T>(ctx, "roots", n, [n] { return make_roots<T>(n); });
}

}  // namespace tandem
