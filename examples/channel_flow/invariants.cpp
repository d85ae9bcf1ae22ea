// Invariants: a free stream stays, mirror symmetry, mass balance, the same fields from every solver.

#include <numbers>

#include "unit_box.h"

namespace channel {

Result free_stream(const Where& where, const Cells& cells) {
  Result result{"free stream, to round-off", cells, {}, 0};
  constexpr int kSteps = 20;
  for (const std::int64_t n : cells) {
    double worst = 0;
    for (const bool through : {false, true}) {
      const Face in = through ? Face::inflow : kOpen, out = through ? Face::outflow : kOpen;
      Flow flow = box({n, n + 1, n + 2}, {{{in, out}, {kOpen, kOpen}, {kOpen, kOpen}}});
      flow.dt = flow.suggested_dt();
      const Profile stream = [](double, double, double, double) { return Values{1, 1, 0.3, -0.2, 1}; };
      Solver<double> solver(where, flow, {}, stream);
      march(solver, kSteps * flow.dt);
      worst = std::max(worst, distance(solver.fields(), sample<double>(flow, stream, 0)));
    }
    result.errors.push_back(worst);
  }
  result.limit = 4 * kEpsilon * kSteps;
  return result;
}

Result mirror(const Where& where, const Cells& cells) {
  Result result{"mirror symmetry in y and z", cells, {}, 0};
  constexpr int kSteps = 20;
  for (const std::int64_t n : cells) {
    Flow flow = box({n, n, n}, {{{Face::inflow, Face::outflow}, {kWall, kWall}, {kWall, kWall}}});
    flow.re = 50;
    flow.mach = 0.5;
    flow.dt = flow.suggested_dt();
    Solver<double> solver(where, flow, {}, [](double x, double y, double z, double) {
      const double bump = y * (1 - y) * z * (1 - z) * 16;
      return Values{1 + 0.1 * bump * x, bump, 0, 0, 1 + 0.2 * bump * std::sin(std::numbers::pi * x)};
    });
    march(solver, kSteps * flow.dt);
    const Fields<double> q = solver.fields();
    if (!where.is_first()) continue;
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

Result entrance(const Where& where, const Cells& cells) {
  Result result{"entrance of a duct: mass and shape", cells, {}, 0.03};
  for (const std::int64_t n : cells) {
    Flow flow = box({2 * n, n, n}, {{{Face::inflow, Face::outflow}, {kWall, kWall}, {kWall, kWall}}});
    flow.length = {2, 1, 1};
    flow.re = 20;
    flow.mach = 0.2;
    flow.theta = 1;
    flow.tolerance = 1e-6;
    flow.dt = flow.suggested_dt();
    Solver<double> solver(where, flow, {}, [](double, double y, double z, double) {
      return Values{1, 16 * y * (1 - y) * z * (1 - z), 0, 0, 1};
    });
    march(solver, 5);
    const Fields<double> q = solver.fields();
    if (!where.is_first()) continue;
    // Walls contribute nothing, so plain sums are integrals. In a developed flow the largest velocity is
    // 2.096 times the mean.
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

std::vector<std::pair<std::string, std::string>> ways(const Where& where) {
  if (where.all) {
    return {{"", "naive"},
            {"custom/transposed,custom/threads,custom/threads", "naive"},
            {"custom/split,custom/simd,custom/simd", "transposed"}};
  }
  if (where.ctx.place() == tandem::Place::device) {
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
          {"custom/threads", "naive"},
          {"custom/simd", "naive"},
          {"custom/threads", "transposed"},
          {"vendor/openblas", "naive"},
          {"", "naive"},
          {"fused", "naive"}};
}

namespace {

template <class T>
void compare_ways(const Where& where, std::int64_t n, std::vector<Result>& results) {
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
  for (const auto& [solver_name, z] : ways(where)) {
    Result result{std::string("as the first, ") + (sizeof(T) == 4 ? "f32 " : "f64 ") +
                      (solver_name.empty() ? "automatic" : solver_name) + (z == "naive" ? "" : " z " + z),
                  {n},
                  {},
                  0};
    try {
      Solver<T> solver(where, flow, parse_sweeps(solver_name, z), start);
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

std::vector<Result> same_fields(const Where& where, std::int64_t cells, bool single) {
  std::vector<Result> results;
  if (single)
    compare_ways<float>(where, cells, results);
  else
    compare_ways<double>(where, cells, results);
  return results;
}

}  // namespace channel
