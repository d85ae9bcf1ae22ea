#include "verify.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace channel {
namespace {

using std::numbers::pi;

constexpr Face kWall = Face::wall, kMirror = Face::symmetry, kOpen = Face::developed;
using Faces = std::array<std::array<Face, 2>, 3>;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// The unit cube with `cells` along axes where it matters and two elsewhere.
Flow box(std::array<std::int64_t, 3> cells, const Faces& faces) {
  Flow flow;
  for (std::size_t axis = 0; axis < 3; ++axis) flow.n[axis] = cells[axis] + 1;
  flow.length = {1, 1, 1};
  flow.faces = faces;
  flow.mach = 1;
  flow.tolerance = 1e-10;
  return flow;
}
constexpr std::int64_t kFew = 2;
// A gas of nearly boundless temperature capacity: friction does not warm it, so no sound is left to die away before a flow is
// steady. (What it adds is tested by the manufactured solution.)
constexpr double kIsothermal = 1 + 1e-14;

template <class T>
void march(Solver<T>& solver, double until) {
  while (solver.time() < until - 0.5 * solver.flow().dt) solver.step();
}
/// An even number of steps of about `dt` until `time`.
double steps_of(double dt, double time) { return time / std::ceil(time / dt); }

/// Largest difference over all nodes of `unknowns`.
template <class T>
double distance(const Fields<T>& a, const Fields<T>& b, std::vector<int> unknowns = {kRho, kU, kV, kW, kT}) {
  double worst = 0;
  for (const int unknown : unknowns) {
    const auto& x = a[static_cast<std::size_t>(unknown)];
    const auto& y = b[static_cast<std::size_t>(unknown)];
    for (std::size_t c = 0; c < x.size(); ++c) {
      const double d = std::fabs(static_cast<double>(x[c]) - static_cast<double>(y[c]));
      if (!(d <= worst)) worst = d;  // a NaN stays
    }
  }
  return worst;
}

const Profile kRest = [](double, double, double, double) { return Values{1, 0, 0, 0, 1}; };

}  // namespace

std::vector<double> Result::orders() const {
  std::vector<double> orders;
  for (std::size_t i = 1; i < errors.size(); ++i) orders.push_back(std::log2(errors[i - 1] / errors[i]));
  return orders;
}

bool Result::passed() const {
  if (highest == 0) return std::all_of(errors.begin(), errors.end(), [&](double e) { return e <= limit; });
  const std::vector<double> all = orders();
  return !all.empty() &&
         std::all_of(all.begin(), all.end(), [&](double o) { return o >= lowest && o <= highest; });
}

Result poiseuille(tandem::Context& ctx, const Cells& cells) {
  Result result{"plane Poiseuille, to round-off", cells, {}, 0};
  for (const std::int64_t n : cells) {
    Flow flow = box({kFew, n, kFew}, {{{kOpen, kOpen}, {kWall, kWall}, {kMirror, kMirror}}});
    flow.gamma = kIsothermal;
    flow.re = 1;
    flow.force = 8;  // the parabola's top is 1
    flow.theta = 1;
    flow.dt = std::min(0.05, flow.spacing(1));
    Solver<double> solver(ctx, flow, {}, kRest);
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

/// White, "Viscous Fluid Flow": the duct of side 1 whose sides across are far less steep with every term.
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

Result square_duct(tandem::Context& ctx, const Cells& cells) {
  Result result{"square duct, Fourier series", cells, {}, 0, 1.9, 2.1};
  for (const std::int64_t n : cells) {
    Flow flow = box({kFew, n, n}, {{{kOpen, kOpen}, {kWall, kWall}, {kWall, kWall}}});
    flow.gamma = kIsothermal;
    flow.re = 1;
    flow.force = 8;
    flow.theta = 1;
    flow.dt = 0.5 * flow.spacing(1);
    Solver<double> solver(ctx, flow, {}, kRest);
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

Result diffusion(tandem::Context& ctx, const Cells& cells) {
  Result result{"diffusion of a sine in 3-D", cells, {}, 0, 1.9, 2.1};
  constexpr double kAmplitude = 0.5, kTime = 0.04;
  for (const std::int64_t n : cells) {
    Flow flow = box({n, n, n}, {{{kWall, kWall}, {kWall, kWall}, {kWall, kWall}}});
    flow.mach = 1e8;  // pressure is nothing, so temperature diffuses and the gas stays where it is
    flow.re = 1;
    flow.pr = 1;
    flow.dt = steps_of(0.02 * flow.spacing(0), kTime);
    const double decay = 3 * pi * pi * flow.gamma;
    const Profile exact = [&](double x, double y, double z, double t) {
      return Values{
          1, 0, 0, 0,
          1 + kAmplitude * std::exp(-decay * t) * std::sin(pi * x) * std::sin(pi * y) * std::sin(pi * z)};
    };
    Solver<double> solver(ctx, flow, {}, exact);
    march(solver, kTime);
    result.errors.push_back(distance(solver.fields(), sample<double>(flow, exact, kTime)) /
                            (kAmplitude * std::exp(-decay * kTime)));
  }
  return result;
}

namespace {

/// mean + size · ∏ sin(k·s + phase) over x, y, z and t, with all its derivatives: each turns a phase by a quarter.
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

/// What the equations leave over when the waves are put into them: rates of change that the source must supply.
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

Result manufactured(tandem::Context& ctx, const Cells& cells) {
  Result result{"manufactured solution, all equations", cells, {}, 0, 1.9, 2.1};
  constexpr double kTime = 0.25;
  for (const std::int64_t n : cells) {
    Flow flow = box({n, n, n}, {{{kOpen, kOpen}, {kWall, kWall}, {kMirror, kMirror}}});
    flow.re = 20;
    flow.dt = steps_of(0.5 * flow.spacing(0), kTime);
    const Profile exact = [](double x, double y, double z, double t) {
      Values values;
      for (std::size_t a = 0; a < kUnknowns; ++a) values[a] = kWaves[a]({x, y, z, t});
      return values;
    };
    Solver<double> solver(ctx, flow, {}, exact);
    solver.set_source([&flow](double x, double y, double z, double t) {
      return manufactured_source(flow, {x, y, z, t});
    });
    march(solver, kTime);
    result.errors.push_back(distance(solver.fields(), sample<double>(flow, exact, kTime)));
  }
  return result;
}

Result free_stream(tandem::Context& ctx, const Cells& cells) {
  Result result{"free stream, to round-off", cells, {}, 0};
  constexpr int kSteps = 20;
  for (const std::int64_t n : cells) {
    double worst = 0;
    for (const bool through : {false, true}) {
      const Face in = through ? Face::inflow : kOpen, out = through ? Face::outflow : kOpen;
      Flow flow = box({n, n + 1, n + 2}, {{{in, out}, {kOpen, kOpen}, {kOpen, kOpen}}});
      flow.dt = flow.suggested_dt();
      const Profile stream = [](double, double, double, double) { return Values{1, 1, 0.3, -0.2, 1}; };
      Solver<double> solver(ctx, flow, {}, stream);
      march(solver, kSteps * flow.dt);
      worst = std::max(worst, distance(solver.fields(), sample<double>(flow, stream, 0)));
    }
    result.errors.push_back(worst);
  }
  result.limit = 4 * kEpsilon * kSteps;
  return result;
}

Result mirror(tandem::Context& ctx, const Cells& cells) {
  Result result{"mirror symmetry in y and z", cells, {}, 0};
  constexpr int kSteps = 20;
  for (const std::int64_t n : cells) {
    Flow flow = box({n, n, n}, {{{Face::inflow, Face::outflow}, {kWall, kWall}, {kWall, kWall}}});
    flow.re = 50;
    flow.mach = 0.5;
    flow.dt = flow.suggested_dt();
    Solver<double> solver(ctx, flow, {}, [](double x, double y, double z, double) {
      const double bump = y * (1 - y) * z * (1 - z) * 16;
      return Values{1 + 0.1 * bump * x, bump, 0, 0, 1 + 0.2 * bump * std::sin(pi * x)};
    });
    march(solver, kSteps * flow.dt);
    const Fields<double> q = solver.fields();
    double worst = 0;
    for (std::int64_t i = 0; i <= n; ++i) {
      for (std::int64_t j = 0; j <= n; ++j) {
        for (std::int64_t k = 0; k <= n; ++k) {
          const auto at = [&](std::size_t a, std::int64_t jj, std::int64_t kk) {
            return q[a][static_cast<std::size_t>((i * (n + 1) + jj) * (n + 1) + kk)];
          };
          for (std::size_t a = 0; a < kUnknowns; ++a) {
            worst = std::max(worst, std::fabs(at(a, j, k) - (a == kV ? -1 : 1) * at(a, n - j, k)));
            worst = std::max(worst, std::fabs(at(a, j, k) - (a == kW ? -1 : 1) * at(a, j, n - k)));
          }
        }
      }
    }
    result.errors.push_back(worst);
    result.limit = std::max(result.limit, 16 * kEpsilon * kSteps * static_cast<double>(n));
  }
  return result;
}

Result entrance(tandem::Context& ctx, const Cells& cells) {
  Result result{"entrance of a duct: mass and shape", cells, {}, 0.03};
  for (const std::int64_t n : cells) {
    Flow flow = box({2 * n, n, n}, {{{Face::inflow, Face::outflow}, {kWall, kWall}, {kWall, kWall}}});
    flow.length = {2, 1, 1};
    flow.re = 20;
    flow.mach = 0.2;
    flow.theta = 1;
    flow.tolerance = 1e-6;
    flow.dt = flow.suggested_dt();
    Solver<double> solver(ctx, flow, {}, [](double, double y, double z, double) {
      return Values{1, 16 * y * (1 - y) * z * (1 - z), 0, 0, 1};
    });
    march(solver, 5);
    const Fields<double> q = solver.fields();
    // Walls contribute nothing, so plain sums are integrals. Developed, the largest velocity is 2.096 times the mean.
    std::vector<double> mass, mean;
    for (std::int64_t i = 0, c = 0; i <= 2 * n; ++i) {
      double m = 0, u = 0;
      for (std::int64_t end = c + (n + 1) * (n + 1); c < end; ++c) {
        m += q[kRho][static_cast<std::size_t>(c)] * q[kU][static_cast<std::size_t>(c)];
        u += q[kU][static_cast<std::size_t>(c)];
      }
      mass.push_back(m);
      mean.push_back(u / static_cast<double>(n * n));
    }
    double worst = 0;
    for (std::size_t i = 1; i + 1 < mass.size(); ++i)
      worst = std::max(worst, std::fabs(mass[i] / mass[0] - 1));
    const auto top = static_cast<std::size_t>((2 * n * (n + 1) + n / 2) * (n + 1) + n / 2);
    worst = std::max(worst, std::fabs(q[kU][top] / mean.back() / 2.0962 - 1));
    result.errors.push_back(worst);
  }
  return result;
}

std::vector<std::pair<std::string, std::string>> ways(const tandem::Context& ctx) {
  if (ctx.place() == tandem::Place::device) {
    return {{"custom/naive", "naive"},
            {"custom/naive", "transposed"},
            {"vendor/cusparse_interleaved_thomas,vendor/cusparse_interleaved_thomas,vendor/cusparse_strided",
             "naive"},
            {"vendor/cusparse_interleaved_thomas", "transposed"},
            {"custom/split,custom/split,custom/warp_hybrid", "naive"},
            {"", "naive"},
            {"fused", "naive"}};
  }
  return {{"custom/serial", "naive"},
          {"custom/openmp", "naive"},
          {"custom/simd", "naive"},
          {"custom/openmp", "transposed"},
          {"vendor/openblas", "naive"},
          {"", "naive"},
          {"fused", "naive"}};
}

namespace {

template <class T>
void compare_ways(tandem::Context& ctx, std::int64_t n, std::vector<Result>& results) {
  constexpr int kSteps = 10;
  Flow flow = box({n, n + 3, n + 5}, {{{Face::inflow, Face::outflow}, {kWall, kWall}, {kWall, kMirror}}});
  flow.re = 50;
  flow.mach = 0.5;
  flow.dt = flow.suggested_dt();
  flow.tolerance = 1e-5;
  flow.local_iterations = 2;
  const Profile start = [](double x, double y, double z, double) {
    const double bump = 4 * y * (1 - y) * z;
    return Values{1, bump, 0.1 * bump * x, 0, 1 + 0.2 * bump * x};
  };
  Fields<T> first;
  for (const auto& [solver_name, z] : ways(ctx)) {
    Result result{std::string("as the first, ") + (sizeof(T) == 4 ? "f32 " : "f64 ") +
                      (solver_name.empty() ? "automatic" : solver_name) + (z == "naive" ? "" : " z " + z),
                  {n},
                  {},
                  0};
    try {
      Solver<T> solver(ctx, flow, parse_sweeps(solver_name, z), start);
      for (int i = 0; i < kSteps; ++i) solver.step();
      const Fields<T> q = solver.fields();
      if (first[0].empty()) first = q;
      result.errors.push_back(distance(q, first));
      result.limit = 32 * static_cast<double>(std::numeric_limits<T>::epsilon()) * kSteps;
      results.push_back(result);
    } catch (const tandem::Unavailable&) {  // a library that is not built in
    }
  }
}

}  // namespace

std::vector<Result> same_fields(tandem::Context& ctx, std::int64_t cells, bool single) {
  std::vector<Result> results;
  if (single)
    compare_ways<float>(ctx, cells, results);
  else
    compare_ways<double>(ctx, cells, results);
  return results;
}

std::vector<Check> checks(bool full) {
  const auto one = [full](const char* name, Result (*run)(tandem::Context&, const Cells&), const Cells& all,
                          const Cells& few) {
    return Check{
        name, [run, cells = full ? all : few](tandem::Context& ctx) { return std::vector{run(ctx, cells)}; }};
  };
  const std::int64_t cells = full ? 40 : 12;
  return {one("plane Poiseuille", poiseuille, {2, 3, 8, 17, 32, 64}, {2, 3, 8, 17}),
          one("square duct", square_duct, {32, 64, 128}, {16, 32}),
          one("diffusion", diffusion, {16, 32, 64}, {8, 16, 32}),
          one("manufactured solution", manufactured, {16, 32, 64}, {8, 16}),
          one("entrance of a duct", entrance, {12, 16}, {12}),
          one("free stream", free_stream, {4, 9, 32}, {4, 9}),
          one("mirror symmetry", mirror, {9, 16, 32}, {9, 12}),
          {"the same fields, f32", [cells](tandem::Context& ctx) { return same_fields(ctx, cells, true); }},
          {"the same fields, f64", [cells](tandem::Context& ctx) { return same_fields(ctx, cells, false); }}};
}

}  // namespace channel
