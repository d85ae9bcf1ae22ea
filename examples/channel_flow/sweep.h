#pragma once
// The sweeps of a step: the matrices along one axis, as arrays for tandem::tridiagonal or built where they
// are used.

#include "scheme.h"

// Loops that are unrolled so that their arrays stay in registers; host compilers know no such pragma.
#ifdef __CUDACC__
#define CHANNEL_UNROLL _Pragma("unroll")
#else
#define CHANNEL_UNROLL
#endif

namespace channel {

/// Three matrices for the four unknowns of a sweep: the velocity along its axis, which feels 4/3 of the
/// viscosity, the two across, and temperature. A sweep numbers its unknowns in this order: its unknown 0 is
/// the velocity along the axis, 1 and 2 are the velocities across, 3 is temperature.
enum Group { kAlong, kAcross, kTemperature, kGroups };
TANDEM_HD constexpr Group group_of(int unknown) {
  return unknown == 0 ? kAlong : unknown == 3 ? kTemperature : kAcross;
}
/// Which of u, v, w, T (0 … 3) is unknown 0 … 3 of a sweep along `axis`.
TANDEM_HD constexpr int field_of(int unknown, int axis) { return unknown == 3 ? 3 : (axis + unknown) % 3; }

template <class T>
struct Row {
  T lower, diag, upper;
};

/// Row of  1 − θΔt·(−u ∂ + κ ∂²)  along `axis` at its node i, by the speed and density of that node. Lines
/// lie along one axis, so nothing but `i` and the node's own values enters, and the row can be built where it
/// is used.
template <class T>
TANDEM_HD Row<T> matrix_row(const Scheme<T>& s, int axis, Group group, T weight, std::int64_t i, T speed,
                            T density) {
  const bool low = i == 0, high = i == s.n[axis] - 1;
  if ((low && Scheme<T>::held(s.faces[axis][0], group == kAlong)) ||
      (high && Scheme<T>::held(s.faces[axis][1], group == kAlong)))
    return {T(0), T(1), T(0)};
  const T kappa = group == kTemperature ? s.conduction : group == kAlong ? s.viscosity * 4 / 3 : s.viscosity;
  const T spread = weight * kappa / density * s.square[axis], shift = weight * speed * s.half[axis];
  Row<T> row{-spread - shift, 1 + 2 * spread, -spread + shift};
  if (low) row.upper += row.lower;  // the mirror image
  if (high) row.lower += row.upper;
  return row;
}

/// lower, diag and upper of one group for a sweep. The arrays may be transposed (Solver::solve), so their
/// extents are the functor's own, and so is `line_axis`, the index that runs along the lines. They have no room for planes of
/// neighbours.
template <class T>
struct Coefficients {
  Scheme<T> scheme;
  int axis;
  Group group;
  T weight;  // θ·Δt
  const T *rho, *velocity;
  const T* correction;  // of the velocity by this very sweep, or null
  T *lower, *diag, *upper;
  int line_axis;
  std::int64_t extent[3];

  TANDEM_HD void operator()(const std::int64_t (&index)[3]) const {
    const std::int64_t c = (index[0] * extent[1] + index[1]) * extent[2] + index[2];
    const T speed = velocity[c] + (correction ? correction[c] : T(0));
    // index[line_axis], an index known at run time only, would put the array into local memory.
    const std::int64_t i = line_axis == 0 ? index[0] : line_axis == 1 ? index[1] : index[2];
    const std::int64_t first = axis == 0 ? scheme.planes.first : 0;
    const Row<T> row = matrix_row(scheme, axis, group, weight, first + i, speed, rho[c]);
    lower[c] = row.lower;
    diag[c] = row.diag;
    upper[c] = row.upper;
  }
};

/// A sweep that builds its coefficients where it needs them and solves for all four unknowns in one pass.
template <class T>
struct Sweep {
  Scheme<T> scheme;
  int axis;
  T weight;  // θ·Δt
  const T *rho, *velocity;
  const T* correction;  // as in Coefficients
  const T* rhs[4];      // in the order of field_of()
  T* x[4];              // may be rhs
  T* above[kGroups];    // scratch as large as the field

  TANDEM_HD T speed(std::int64_t c) const { return velocity[c] + (correction ? correction[c] : T(0)); }

  /// Thomas for the line that starts at element `first`: forward elimination stores d′ in x and c′ in above,
  /// backward substitution computes x[i] = d′[i] − c′[i]·x[i+1]. kAhead rows are loaded at a time. The matrix
  /// is diagonally dominant, so no pivot is zero.
  template <int kAhead>
  TANDEM_HD void line(std::int64_t first) const {
    const std::int64_t n = scheme.n[axis], stride = scheme.stride[axis];
    T c[kGroups] = {0, 0, 0}, d[4] = {0, 0, 0, 0};
    for (std::int64_t start = 0; start < n; start += kAhead) {
      T u[kAhead], density[kAhead], b[kAhead][4];
      CHANNEL_UNROLL
      for (int k = 0; k < kAhead; ++k) {
        if (start + k >= n) break;
        const std::int64_t at = first + (start + k) * stride;
        u[k] = speed(at);
        density[k] = rho[at];
        for (int a = 0; a < 4; ++a) b[k][a] = rhs[a][at];
      }
      CHANNEL_UNROLL
      for (int k = 0; k < kAhead; ++k) {
        if (start + k >= n) break;
        const std::int64_t at = first + (start + k) * stride;
        T lower[kGroups], inverse[kGroups];
        for (int g = 0; g < kGroups; ++g) {
          const Row<T> r = matrix_row(scheme, axis, Group(g), weight, start + k, u[k], density[k]);
          lower[g] = r.lower;
          inverse[g] = 1 / (r.diag - r.lower * c[g]);
          c[g] = r.upper * inverse[g];
          above[g][at] = c[g];
        }
        for (int a = 0; a < 4; ++a) {
          d[a] = (b[k][a] - lower[group_of(a)] * d[a]) * inverse[group_of(a)];
          x[a][at] = d[a];
        }
      }
    }
    for (std::int64_t start = n - 2; start >= 0; start -= kAhead) {
      T e[kAhead][kGroups], b[kAhead][4];
      CHANNEL_UNROLL
      for (int k = 0; k < kAhead; ++k) {
        if (start - k < 0) break;
        const std::int64_t at = first + (start - k) * stride;
        for (int g = 0; g < kGroups; ++g) e[k][g] = above[g][at];
        for (int a = 0; a < 4; ++a) b[k][a] = x[a][at];
      }
      CHANNEL_UNROLL
      for (int k = 0; k < kAhead; ++k) {
        if (start - k < 0) break;
        const std::int64_t at = first + (start - k) * stride;
        for (int a = 0; a < 4; ++a) {
          d[a] = b[k][a] - e[k][group_of(a)] * d[a];
          x[a][at] = d[a];
        }
      }
    }
  }
};

}  // namespace channel
