#pragma once
// A flow: its grid, its faces and its numbers. All quantities are dimensionless; docs/channel_flow.md defines
// the scales.

#include <array>
#include <cstdint>
#include <functional>
#include <string>

namespace channel {

/// The unknowns in the order of all arrays; the velocity along `axis` is kU + axis.
enum Unknown { kRho, kU, kV, kW, kT, kUnknowns };

/// The boundary condition at a face of the box.
enum class Face : std::uint8_t {
  wall,       // velocity and temperature stay what they were at the start
  symmetry,   // a plane mirror
  developed,  // nothing changes across the face
  inflow,     // held as at a wall, but with a velocity that is not zero
  outflow,    // velocity and temperature of the neighbouring plane, the reference pressure
};

/// Along an axis: two faces and something in between.
inline constexpr std::int64_t kFewestNodes = 3, kMostNodes = 1 << 16;

struct Flow {
  std::array<std::int64_t, 3> n{64, 32, 32};  // nodes along x, y, z; the first and the last lie on the faces
  std::array<double, 3> length{4, 1, 1};
  std::array<std::array<Face, 2>, 3> faces{
      {{Face::inflow, Face::outflow}, {Face::wall, Face::wall}, {Face::wall, Face::wall}}};
  double re = 100, pr = 0.71, gamma = 1.4, mach = 0.3;
  double force = 0;  // per volume, along x: what a pressure gradient of −force would do
  double dt = 0.01;
  double theta = 0.5;        // weight of the new time level: ½ is second order, 1 damps the most
  double tolerance = 1e-6;   // of the continuity residual, as a share of the reference density
  int most_iterations = 50;  // global iterations per step
  int local_iterations = 1;  // iterations per sweep

  std::int64_t cells() const { return n[0] * n[1] * n[2]; }
  double spacing(int axis) const { return length[axis] / static_cast<double>(n[axis] - 1); }
  double position(int axis, std::int64_t i) const { return spacing(axis) * static_cast<double>(i); }
  /// R of p = ρRT.
  double gas() const { return 1 / (gamma * mach * mach); }
  /// A step in which sound at temperature 1 crosses half a cell.
  double suggested_dt() const;
  /// Throws tandem::InvalidArgument: names the first value that the scheme cannot take, and its limit.
  void check() const;
};

/// Some of the nodes of a flow: `count` planes along x from `first` on. In arrays they have `room` planes before and behind them.
struct Planes {
  std::int64_t first, count, room;

  std::int64_t in_array() const { return count + 2 * room; }
};

/// Values of all unknowns at a point and a time.
using Values = std::array<double, kUnknowns>;
using Profile = std::function<Values(double x, double y, double z, double t)>;

}  // namespace channel
