#pragma once
// A number of each of several rows on the CPU, in the lanes of a vector: rows are transformed together without shuffles,
// whatever the radix.

#include <cstdint>

#include "lib/ops/fft/complex.h"

// No call passes such a vector: all that has one is inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace tandem {

template <class T>
struct Lanes {
  typedef T Vector __attribute__((vector_size(32)));
  static constexpr int kCount = 32 / sizeof(T);
  Vector v;

  Lanes() = default;
  Lanes(double everywhere) : v(Vector{} + static_cast<T>(everywhere)) {}
  explicit Lanes(const Vector& v) : v(v) {}
  friend Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.v + b.v); }
  friend Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.v - b.v); }
  friend Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.v * b.v); }
  friend Lanes operator-(const Lanes& a) { return Lanes(-a.v); }
};

}  // namespace tandem
