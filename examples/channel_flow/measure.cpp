#include "measure.h"

#include <algorithm>

namespace channel {
namespace {

/// A cube of gas between walls, in motion from the start.
template <class T>
Solver<T> moving(tandem::Context& ctx, std::int64_t nodes, const Sweeps& sweeps) {
  Flow flow;
  flow.n = {nodes, nodes, nodes};
  flow.length = {1, 1, 1};
  flow.dt = flow.suggested_dt();
  flow.tolerance = 1e-4;
  return {ctx, flow, sweeps, [](double x, double y, double z, double) {
            const double bump = 16 * y * (1 - y) * z * (1 - z);
            return Values{1, bump, 0.05 * bump * x, 0, 1 + 0.05 * bump * x};
          }};
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

}  // namespace

template <class T>
std::array<double, 4> systems_per_second(tandem::Context& ctx, std::int64_t nodes, const Sweeps& sweeps,
                                         int repetitions, double enough) {
  Solver<T> solver = moving<T>(ctx, nodes, sweeps);
  solver.step();
  std::array<std::vector<double>, 4> rates;
  double spent = 0;
  for (int i = 0; i < repetitions && spent < enough; ++i) {
    const Report report = solver.step();
    spent += report.total;
    const double systems = 4.0 * static_cast<double>(report.sweeps * nodes * nodes);
    for (std::size_t axis = 0; axis < 3; ++axis) rates[axis].push_back(systems / report.seconds[axis]);
    rates[3].push_back(3 * systems / report.total);
  }
  return {median(rates[0]), median(rates[1]), median(rates[2]), median(rates[3])};
}

template <class T>
SweepTimes seconds_of_sweeps(tandem::Context& ctx, std::int64_t nodes, const Sweeps& sweeps,
                             int repetitions) {
  Solver<T> solver = moving<T>(ctx, nodes, sweeps);
  solver.step();
  std::array<std::vector<double>, 4> seconds;
  for (int i = 0; i < repetitions; ++i) {
    const std::array<double, 3> once = solver.time_sweeps();
    for (std::size_t axis = 0; axis < 3; ++axis) seconds[axis].push_back(once[axis]);
    seconds[3].push_back(solver.time_transposes());
  }
  return {{median(seconds[0]), median(seconds[1]), median(seconds[2])}, median(seconds[3])};
}

template std::array<double, 4> systems_per_second<float>(tandem::Context&, std::int64_t, const Sweeps&, int,
                                                         double);
template std::array<double, 4> systems_per_second<double>(tandem::Context&, std::int64_t, const Sweeps&, int,
                                                          double);
template SweepTimes seconds_of_sweeps<float>(tandem::Context&, std::int64_t, const Sweeps&, int);
template SweepTimes seconds_of_sweeps<double>(tandem::Context&, std::int64_t, const Sweeps&, int);

}  // namespace channel
