// A manufactured solution: smooth fields of all unknowns, and the sources that make them a solution.

#include <numbers>

#include "unit_box.h"

namespace channel {
namespace {

using std::numbers::pi;

/// mean + size · ∏ sin(k·s + phase) over x, y, z and t, with all its derivatives: each shifts a phase by π/2.
struct Wave {
  double mean, size;
  std::array<double, 4> k, phase;

  double operator()(const std::array<double, 4>& at, std::array<int, 4> derivatives = {}) const {
    double value = size;
    bool any = false;
    for (std::size_t s = 0; s < 4; ++s) {
      any = any || derivatives[s] > 0;
      value *= std::pow(k[s], derivatives[s]) * std::sin(k[s] * at[s] + phase[s] + derivatives[s] * pi / 2);
    }
    return any ? value : mean + value;
  }
};

constexpr double kSine = 0, kCosine = pi / 2;
// x between developed faces, y between walls, z between mirrors: every kind of derivative at every such face.
const std::array<Wave, kUnknowns> kWaves{{
    {1.0, 0.10, {pi, pi, pi, 2}, {kCosine, kCosine, kCosine, 0.3}},
    {0.0, 0.40, {pi, pi, pi, 3}, {kCosine, kSine, kCosine, 0.5}},
    {0.0, 0.30, {pi, pi, pi, 2}, {kCosine, kSine, kCosine, 0.9}},
    {0.0, 0.20, {pi, pi, pi, 3}, {kCosine, kSine, kSine, 0.2}},
    {1.0, 0.15, {pi, pi, pi, 2}, {kCosine, kSine, kCosine, 0.7}},
}};

/// The residual of the equations with the waves inserted: the rates of change that the source must supply.
Values manufactured_source(const Flow& flow, const std::array<double, 4>& at) {
  std::array<double, kUnknowns> value;
  std::array<std::array<double, 4>, kUnknowns> first;                  // by x, y, z, t
  std::array<std::array<std::array<double, 3>, 3>, kUnknowns> second;  // by two of x, y, z
  for (std::size_t a = 0; a < kUnknowns; ++a) {
    value[a] = kWaves[a](at);
    for (std::size_t s = 0; s < 4; ++s) {
      std::array<int, 4> order{};
      ++order[s];
      first[a][s] = kWaves[a](at, order);
      for (std::size_t r = 0; r < 3 && s < 3; ++r) {
        std::array<int, 4> twice = order;
        ++twice[r];
        second[a][s][r] = kWaves[a](at, twice);
      }
    }
  }
  const double rho = value[kRho], temperature = value[kT];
  double divergence = 0, dissipation = 0, conducted = 0, carried = 0;
  Values source{};
  source[kRho] = first[kRho][3];
  for (std::size_t a = 0; a < 3; ++a) {
    divergence += first[kU + a][a];
    source[kRho] += first[kRho][a] * value[kU + a] + rho * first[kU + a][a];
    conducted += second[kT][a][a];
    carried += value[kU + a] * first[kT][a];
    double viscous = 0, convection = 0;
    for (std::size_t b = 0; b < 3; ++b) {
      viscous += second[kU + a][b][b] + second[kU + b][a][b] / 3;
      convection += value[kU + b] * first[kU + a][b];
      const double strain = first[kU + a][b] + first[kU + b][a];
      dissipation += strain * strain / 2;
    }
    const double pressure = flow.gas() * (first[kRho][a] * temperature + rho * first[kT][a]);
    source[kU + a] = first[kU + a][3] + convection - (viscous / flow.re - pressure) / rho;
  }
  dissipation -= 2 * divergence * divergence / 3;
  source[kT] = first[kT][3] + carried + (flow.gamma - 1) * temperature * divergence -
               (flow.gamma / (flow.re * flow.pr) * conducted +
                flow.gamma * (flow.gamma - 1) * flow.mach * flow.mach / flow.re * dissipation) /
                   rho;
  return source;
}

}  // namespace

Result manufactured(const Where& where, const Cells& cells) {
  Result result{"manufactured solution, all equations", cells, {}, 0, 1.9, 2.1};
  constexpr double kTime = 0.25;
  for (const std::int64_t n : cells) {
    Flow flow = box({n, n, n}, {{{kOpen, kOpen}, {kWall, kWall}, {kMirror, kMirror}}});
    flow.re = 20;
    flow.dt = even_step(0.5 * flow.spacing(0), kTime);
    const Profile exact = [](double x, double y, double z, double t) {
      Values values;
      for (std::size_t a = 0; a < kUnknowns; ++a) values[a] = kWaves[a]({x, y, z, t});
      return values;
    };
    Solver<double> solver(where, flow, {}, exact);
    solver.set_source([&flow](double x, double y, double z, double t) {
      return manufactured_source(flow, {x, y, z, t});
    });
    march(solver, kTime);
    result.errors.push_back(distance(solver.fields(), sample<double>(flow, exact, kTime)));
  }
  return result;
}

}  // namespace channel
