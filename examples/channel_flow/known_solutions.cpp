// Checks against solutions in closed form or as a series.

#include <numbers>

#include "unit_box.h"

namespace channel {

using std::numbers::pi;

Result poiseuille(const Where& where, const Cells& cells) {
  Result result{"plane Poiseuille, to round-off", cells, {}, 0};
  for (const std::int64_t n : cells) {
    Flow flow = box({kFew, n, kFew}, {{{kOpen, kOpen}, {kWall, kWall}, {kMirror, kMirror}}});
    flow.gamma = kIsothermal;
    flow.re = 1;
    flow.force = 8;  // the parabola's top is 1
    flow.theta = 1;
    flow.dt = std::min(0.05, flow.spacing(1));
    Solver<double> solver(where, flow, {}, kRest);
    march(solver, 5);  // 50 times the time in which the slowest part decays to 1/e
    const auto exact = sample<double>(
        flow,
        [](double, double y, double, double) {
          return Values{1, 4 * y * (1 - y), 0, 0, 1};
        },
        0);
    result.errors.push_back(distance(solver.fields(), exact, {kU, kV, kW}));
    // The matrix of second differences has a condition of about n².
    result.limit = std::max(result.limit, 4 * kEpsilon * static_cast<double>(n * n));
  }
  return result;
}

namespace {

/// The duct of side 1. Source: White, "Viscous Fluid Flow".
double duct_velocity(double force_re, double y, double z) {
  double sum = 0;
  for (int m = 1; m < 400; m += 2) {
    const double k = m * pi;
    // cosh(k(z − ½)) / cosh(k/2) without overflow
    const double profile = (std::exp(-k * (1 - z)) + std::exp(-k * z)) / (1 + std::exp(-k));
    sum += (1 - profile) * std::sin(k * y) / (k * k * k);
  }
  return 4 * force_re * sum;
}

}  // namespace

Result square_duct(const Where& where, const Cells& cells) {
  Result result{"square duct, Fourier series", cells, {}, 0, 1.9, 2.1};
  for (const std::int64_t n : cells) {
    Flow flow = box({kFew, n, n}, {{{kOpen, kOpen}, {kWall, kWall}, {kWall, kWall}}});
    flow.gamma = kIsothermal;
    flow.re = 1;
    flow.force = 8;
    flow.theta = 1;
    flow.dt = 0.5 * flow.spacing(1);
    Solver<double> solver(where, flow, {}, kRest);
    march(solver, 1);  // 20 times the time in which the slowest part decays to 1/e
    const auto exact = sample<double>(
        flow,
        [](double, double y, double z, double) {
          return Values{1, duct_velocity(8, y, z), 0, 0, 1};
        },
        0);
    result.errors.push_back(distance(solver.fields(), exact, {kU}) / duct_velocity(8, 0.5, 0.5));
  }
  return result;
}

namespace {
/// A sine of temperature against its decay, at so many times the right pace.
Result sine(const Where& where, const std::string& name, const Cells& cells, Splitting splitting,
            double pace) {
  Result result{name, cells, {}, 0, 1.9, 2.1};
  constexpr double kAmplitude = 0.5, kTime = 0.04;
  for (const std::int64_t n : cells) {
    Flow flow = box({n, n, n}, {{{kWall, kWall}, {kWall, kWall}, {kWall, kWall}}});
    flow.mach = 1e8;  // no pressure forces: temperature diffuses and the gas stays at rest
    flow.re = 1;
    flow.pr = 1;
    flow.dt = even_step(0.02 * flow.spacing(0), kTime);
    const double decay = pace * 3 * pi * pi * flow.gamma;
    const Profile exact = [&](double x, double y, double z, double t) {
      return Values{
          1, 0, 0, 0,
          1 + kAmplitude * std::exp(-decay * t) * std::sin(pi * x) * std::sin(pi * y) * std::sin(pi * z)};
    };
    Sweeps sweeps;
    sweeps.splitting = splitting;
    Solver<double> solver(where, flow, sweeps, exact);
    march(solver, kTime);
    result.errors.push_back(distance(solver.fields(), sample<double>(flow, exact, kTime)) /
                            (kAmplitude * std::exp(-decay * kTime)));
  }
  return result;
}
}  // namespace

Result diffusion(const Where& where, const Cells& cells) {
  return sine(where, "diffusion of a sine in 3-D", cells, Splitting::factored, 1);
}

Result lecture_splitting(const Where& where, const Cells& cells) {
  return sine(where, "the lecture's splitting: a third of that pace", cells, Splitting::lecture, 1.0 / 3);
}

}  // namespace channel
