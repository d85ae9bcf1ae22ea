#!/usr/bin/env python3
"""Writes lib/include/tandem/normal_coefficients.h: the numbers by which random turns bits into normal numbers.

normal_quantile.py > lib/include/tandem/normal_coefficients.h, then clang-format; needs mpmath. Everything is interpolation at Chebyshev's
nodes, computed with 50 digits, and rounded once to the type of the coefficients:

* of floats, -Phi^-1 of p = f / 2^33, as cubics in t: eight pieces for each power of two of f, from 1 to 2^32;
* of doubles, -Phi^-1(p) / (1 - 2p), as a polynomial in w = -ln(4p(1 - p)) up to 6.25, and two in sqrt(w) beyond.
"""

from mpmath import cos, erfc, erfinv, exp, expm1, findroot, log, mp, mpf, pi, sqrt

mp.dps = 50
SQRT_W_END = mpf(6.625)  # w of 2^-65 is 43.7


def quantile_above(p):
    """The z that a standard normal number exceeds with probability p, at most 1/2."""
    if p == mpf(1) / 2:
        return mpf(0)
    if p > 1e-6:
        return sqrt(2) * erfinv(1 - 2 * p)
    return findroot(lambda z: log(erfc(z / sqrt(2)) / 2) - log(p), sqrt(-2 * log(p)))


def ratio(w):
    """z / (1 - 2p), where 4p(1 - p) = e^-w."""
    if w == 0:
        return sqrt(pi / 2)
    x = sqrt(-expm1(-w))
    return quantile_above(exp(-w) / (2 * (1 + x))) / x


def interpolation(f, low, high, degree):
    """Coefficients of powers of x - (low + high) / 2, the constant first."""
    n, center, half = degree + 1, (low + high) / 2, (high - low) / 2
    nodes = [cos(pi * (2 * k + 1) / (2 * n)) for k in range(n)]
    values = [f(center + half * x) for x in nodes]
    basis = [[mpf(1)], [mpf(0), mpf(1)]]
    for _ in range(2, n):
        next_one = [mpf(0)] + [2 * c for c in basis[-1]]
        for i, c in enumerate(basis[-2]):
            next_one[i] -= c
        basis.append(next_one)
    powers = [mpf(0)] * n
    for j in range(n):
        weight = sum(v * cos(j * pi * (2 * k + 1) / (2 * n)) for k, v in enumerate(values)) * (2 if j else 1) / n
        for i, c in enumerate(basis[j]):
            powers[i] += weight * c
    return [c / half**i for i, c in enumerate(powers)]


def literal(x, bits):
    """x, rounded to nearest with so many bits, as C++ writes it."""
    with mp.workprec(bits):
        rounded = +x
    return float(rounded).hex().replace("0000000p", "p") if bits == 24 else float(rounded).hex()


def rows(numbers, columns=4):
    for first in range(0, len(numbers), columns):
        print("      " + ", ".join(numbers[first:first + columns]) + ",")


def main():
    print("""#pragma once
// Coefficients of the quantile of the normal distribution. Written by tools/normal_quantile.py, which says what they are.

#include "tandem/portable_math.h"

namespace tandem::detail {

/// Of powers of t, the constant first.
struct alignas(16) Cubic {
  float c0, c1, c2, c3;
};
inline constexpr int kNormalCubics = 257;

TANDEM_HD inline const Cubic* normal_cubics() {
  static constexpr Cubic cubics[kNormalCubics] = {""")
    for octave in range(32):
        for piece in range(8):
            start = 1 + mpf(2 * piece + 1) / 16
            cubic = interpolation(lambda t: quantile_above((start + t) * mpf(2)**(octave - 33)), -mpf(1) / 16,
                                  mpf(1) / 16, 3)
            print("      {" + ", ".join(literal(c, 24) + "f" for c in cubic) + "},")
    print("""      {0, 0, 0, 0},
  };
  return cubics;
}
""")
    for name, argument, f, low, high, degree in (("center", "w - 3.125", ratio, mpf(0), mpf(6.25), 24),
                                                 ("tail", "sqrt(w) - 3.375", lambda s: ratio(s * s), mpf(2.5),
                                                  mpf(4.25), 20),
                                                 ("far_tail", "sqrt(w) - 5.4375", lambda s: ratio(s * s), mpf(4.25),
                                                  SQRT_W_END, 18)):
        print(f"/// t: {argument}.\nTANDEM_MATH double normal_{name}(double t) {{\n  constexpr double highest_first[] = {{")
        rows([literal(c, 53) for c in reversed(interpolation(f, low, high, degree))])
        print("  };\n  return polynomial(highest_first, t);\n}\n")
    print("}  // namespace tandem::detail")


if __name__ == "__main__":
    main()
