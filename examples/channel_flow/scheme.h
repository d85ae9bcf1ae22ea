#pragma once
// The discrete equations as functors over nodes (i, j, k), called by loops of the CPU and kernels of the GPU
// alike. docs/channel_flow.md derives them. In arrays z is contiguous:
// node (i, j, k) is element (i·ny + j)·nz + k. Over ranks an array has some planes along x alone, and room for one of a
// neighbour on either side; i still counts in the whole.

#include <tandem/tandem.h>

#include "flow.h"

namespace channel {

/// The neighbours of a node along one axis. Beyond a face they are mirror images, in which the velocity along
/// the axis is multiplied by the sign.
template <class T>
struct Around {
  std::int64_t before, after;  // offsets in elements
  T sign_before, sign_after;
};

/// A Flow in the element type of the arrays.
template <class T>
struct Scheme {
  std::int64_t n[3], stride[3];
  Planes planes;        // along x, that the arrays hold; the functors are called at their nodes
  std::int64_t origin;  // element of node (0, 0, 0), if the arrays had it
  T half[3];            // 1 / (2h)
  T square[3];          // 1 / h²
  Face faces[3][2];
  T viscosity, conduction, heating;  // 1/Re, γ/(Re·Pr), γ(γ−1)M²/Re
  T gas, expansion, force;           // R, γ−1

  Scheme(const Flow& flow, const Planes& of_arrays)
      : planes(of_arrays),
        viscosity(T(1 / flow.re)),
        conduction(T(flow.gamma / (flow.re * flow.pr))),
        heating(T(flow.gamma * (flow.gamma - 1) * flow.mach * flow.mach / flow.re)),
        gas(T(flow.gas())),
        expansion(T(flow.gamma - 1)),
        force(T(flow.force)) {
    for (int axis = 2; axis >= 0; --axis) {
      n[axis] = flow.n[axis];
      stride[axis] = axis == 2 ? 1 : stride[axis + 1] * n[axis + 1];
      half[axis] = T(0.5 / flow.spacing(axis));
      square[axis] = T(1 / (flow.spacing(axis) * flow.spacing(axis)));
      for (int side = 0; side < 2; ++side) faces[axis][side] = flow.faces[axis][side];
    }
    origin = (planes.room - planes.first) * stride[0];
  }

  TANDEM_HD std::int64_t at(const std::int64_t (&index)[3]) const {
    return origin + index[0] * stride[0] + index[1] * stride[1] + index[2];
  }
  TANDEM_HD Around<T> around(int axis, std::int64_t i) const {
    Around<T> a{-stride[axis], stride[axis], T(1), T(1)};
    if (i == 0) {
      a.before = stride[axis];
      if (faces[axis][0] == Face::symmetry) a.sign_before = T(-1);
    }
    if (i == n[axis] - 1) {
      a.after = -stride[axis];
      if (faces[axis][1] == Face::symmetry) a.sign_after = T(-1);
    }
    return a;
  }
  /// Whether the unknown is held at this face: it keeps its value there, and its equation is not solved.
  TANDEM_HD static bool held(Face face, bool normal) {
    return face == Face::symmetry ? normal : face != Face::developed;
  }
  TANDEM_HD bool held(int unknown, const std::int64_t (&index)[3]) const {
    for (int axis = 0; axis < 3; ++axis) {
      const bool normal = unknown == kU + axis;
      if (index[axis] == 0 && held(faces[axis][0], normal)) return true;
      if (index[axis] == n[axis] - 1 && held(faces[axis][1], normal)) return true;
    }
    return false;
  }
};

template <class T>
struct State {
  T* of[kUnknowns];
};

/// −div(ρu). One-sided over the half cell at faces that hold their normal velocity, so that the total mass
/// changes only by the flux through the faces.
template <class T>
TANDEM_HD T mass_rate(const Scheme<T>& s, const State<T>& q, const std::int64_t (&index)[3]) {
  const std::int64_t c = s.at(index);
  T sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const T* rho = q.of[kRho];
    const T* u = q.of[kU + axis];
    const std::int64_t step = s.stride[axis];
    const bool low = index[axis] == 0, high = index[axis] == s.n[axis] - 1;
    if ((low && s.faces[axis][0] == Face::developed) || (high && s.faces[axis][1] == Face::developed))
      continue;
    const std::int64_t before = low ? c : c - step, after = high ? c : c + step;
    const T difference = (rho[after] * u[after] - rho[before] * u[before]) * s.half[axis];
    sum -= low || high ? 2 * difference : difference;
  }
  return sum;
}

/// ∂u/∂t, ∂v/∂t, ∂w/∂t and ∂T/∂t by central differences of second order.
template <class T>
TANDEM_HD void rates(const Scheme<T>& s, const State<T>& q, const std::int64_t (&index)[3], T (&rate)[4]) {
  const std::int64_t c = s.at(index);
  const Around<T> near[3] = {s.around(0, index[0]), s.around(1, index[1]), s.around(2, index[2])};
  const T* rho = q.of[kRho];
  const T* temperature = q.of[kT];
  T gradient[3][3], laplacian[3], second[3];  // ∂u_a/∂x_b; ∇²u_a; ∂²u_a/∂x_a²
  for (int a = 0; a < 3; ++a) {
    const T* u = q.of[kU + a];
    laplacian[a] = 0;
    for (int b = 0; b < 3; ++b) {
      const T before = u[c + near[b].before] * (a == b ? near[b].sign_before : T(1)),
              after = u[c + near[b].after] * (a == b ? near[b].sign_after : T(1));
      gradient[a][b] = (after - before) * s.half[b];
      const T curvature = (after - 2 * u[c] + before) * s.square[b];
      laplacian[a] += curvature;
      if (a == b) second[a] = curvature;
    }
  }
  const T volume = T(1) / rho[c], divergence = gradient[0][0] + gradient[1][1] + gradient[2][2];
  T conducted = 0, carried = 0;
  for (int a = 0; a < 3; ++a) {
    const std::int64_t before = c + near[a].before, after = c + near[a].after;
    // ∂/∂x_a of the divergence: mixed differences of the other two velocities.
    T compression = second[a];
    for (int b = 0; b < 3; ++b) {
      if (b == a) continue;
      const T* u = q.of[kU + b];
      compression += ((u[after + near[b].after] - u[before + near[b].after]) * near[b].sign_after -
                      (u[after + near[b].before] - u[before + near[b].before]) * near[b].sign_before) *
                     s.half[a] * s.half[b];
    }
    T convection = 0;
    for (int b = 0; b < 3; ++b) convection += q.of[kU + b][c] * gradient[a][b];
    const T pressure =
        s.gas * (rho[after] * temperature[after] - rho[before] * temperature[before]) * s.half[a];
    const T viscous = s.viscosity * (laplacian[a] + compression / 3);
    rate[a] = (viscous - pressure + (a == 0 ? s.force : T(0))) * volume - convection;
    carried += q.of[kU + a][c] * (temperature[after] - temperature[before]) * s.half[a];
    conducted += (temperature[after] - 2 * temperature[c] + temperature[before]) * s.square[a];
  }
  T dissipation = -2 * divergence * divergence / 3;
  for (int a = 0; a < 3; ++a) {
    dissipation += 2 * gradient[a][a] * gradient[a][a];
    const int b = (a + 1) % 3;
    const T shear = gradient[a][b] + gradient[b][a];
    dissipation += shear * shear;
  }
  rate[3] = (s.conduction * conducted + s.heating * dissipation) * volume - carried -
            s.expansion * temperature[c] * divergence;
}

/// The part of these rates that one axis contributes: derivatives along it, and the force where it is x.
template <class T>
TANDEM_HD void rates_along(const Scheme<T>& s, const State<T>& q, const std::int64_t (&index)[3], int axis,
                           T (&rate)[4]) {
  const std::int64_t c = s.at(index);
  const Around<T> near = s.around(axis, axis == 0 ? index[0] : axis == 1 ? index[1] : index[2]);
  const std::int64_t before = c + near.before, after = c + near.after;
  const T *rho = q.of[kRho], *temperature = q.of[kT];
  const T volume = T(1) / rho[c], speed = q.of[kU + axis][c];
  T stretch = 0, dissipation = 0;  // ∂u_axis/∂x_axis
  for (int a = 0; a < 3; ++a) {
    const T* u = q.of[kU + a];
    const T low = u[before] * (a == axis ? near.sign_before : T(1)),
            high = u[after] * (a == axis ? near.sign_after : T(1));
    const T gradient = (high - low) * s.half[axis], curvature = (high - 2 * u[c] + low) * s.square[axis];
    rate[a] = s.viscosity * curvature * (a == axis ? T(4) / 3 : T(1)) * volume - speed * gradient;
    if (a == axis) stretch = gradient;
    dissipation += gradient * gradient * (a == axis ? T(4) / 3 : T(1));
  }
  rate[axis] -=
      s.gas * (rho[after] * temperature[after] - rho[before] * temperature[before]) * s.half[axis] * volume;
  if (axis == 0) rate[0] += s.force * volume;
  const T conducted = (temperature[after] - 2 * temperature[c] + temperature[before]) * s.square[axis];
  rate[3] = (s.conduction * conducted + s.heating * dissipation) * volume -
            speed * (temperature[after] - temperature[before]) * s.half[axis] -
            s.expansion * temperature[c] * stretch;
}

// --- the parts of a time step, at every node (see Solver::step)

/// known = q + (1 − θ)·Δt·rate: the explicit part of the step.
template <class T>
struct Start {
  Scheme<T> scheme;
  State<T> q, known;
  T weight;  // (1 − θ)·Δt

  TANDEM_HD void operator()(const std::int64_t (&index)[3]) const {
    const std::int64_t c = scheme.at(index);
    T rate[4];
    rates(scheme, q, index, rate);
    known.of[kRho][c] = q.of[kRho][c] + weight * mass_rate(scheme, q, index);
    for (int a = 0; a < 4; ++a) known.of[kU + a][c] = q.of[kU + a][c] + weight * rate[a];
  }
};

/// residual = known − q + θ·Δt·rate: zero where q solves the equations of the step. The order is u, v, w, T.
template <class T>
struct Residual {
  Scheme<T> scheme;
  State<T> q, known;
  T* residual[4];
  T weight;  // θ·Δt

  TANDEM_HD void operator()(const std::int64_t (&index)[3]) const {
    const std::int64_t c = scheme.at(index);
    if (scheme.held(kT, index)) {  // then the velocity is held too
      for (int a = 0; a < 4; ++a) residual[a][c] = 0;
      return;
    }
    T rate[4];
    rates(scheme, q, index, rate);
    for (int a = 0; a < 4; ++a) {
      residual[a][c] =
          scheme.held(kU + a, index) ? T(0) : known.of[kU + a][c] - q.of[kU + a][c] + weight * rate[a];
    }
  }
};

/// residual = weight·(rates along one axis): what a sweep of the lecture's splitting starts from.
template <class T>
struct Fraction {
  Scheme<T> scheme;
  State<T> q;
  int axis;
  T* residual[4];
  T weight;  // Δt/3

  TANDEM_HD void operator()(const std::int64_t (&index)[3]) const {
    const std::int64_t c = scheme.at(index);
    T rate[4];
    rates_along(scheme, q, index, axis, rate);
    for (int a = 0; a < 4; ++a) residual[a][c] = scheme.held(kU + a, index) ? T(0) : weight * rate[a];
  }
};

/// q += change for u, v, w, T, except where they are held. The plane before an outflow copies its
/// values to the outflow.
template <class T>
struct Update {
  Scheme<T> scheme;
  State<T> q;
  const T* change[4];

  TANDEM_HD void operator()(const std::int64_t (&index)[3]) const {
    const std::int64_t c = scheme.at(index);
    const std::int64_t next[3] = {index[0] + 1, index[1], index[2]};
    const bool copies = scheme.faces[0][1] == Face::outflow && next[0] == scheme.n[0] - 1;
    for (int a = 0; a < 4; ++a) {
      if (scheme.held(kU + a, index)) continue;
      const T value = q.of[kU + a][c] + change[a][c];
      q.of[kU + a][c] = value;
      if (copies) q.of[kU + a][c + scheme.stride[0]] = value;
    }
  }
};

/// The density from continuity with the new velocities, and its distance from the old one as the residual. At
/// an outflow the density follows from the reference pressure, at an inflow from the pressure one plane
/// inside.
template <class T>
struct Continuity {
  Scheme<T> scheme;
  State<T> q;
  const T* known;
  T *rho, *residual;
  T weight;  // θ·Δt

  TANDEM_HD void operator()(const std::int64_t (&index)[3]) const {
    const std::int64_t c = scheme.at(index);
    const T* temperature = q.of[kT];
    T next;
    if (scheme.faces[0][1] == Face::outflow && index[0] == scheme.n[0] - 1) {
      next = 1 / temperature[c];
    } else if (scheme.faces[0][0] == Face::inflow && index[0] == 0) {
      const std::int64_t inside[3] = {1, index[1], index[2]}, from = c + scheme.stride[0];
      next = (known[from] + weight * mass_rate(scheme, q, inside)) * temperature[from] / temperature[c];
    } else {
      next = known[c] + weight * mass_rate(scheme, q, index);
    }
    const T miss = next - q.of[kRho][c];
    rho[c] = next;
    residual[c] = miss < 0 ? -miss : miss;
  }
};

}  // namespace channel
