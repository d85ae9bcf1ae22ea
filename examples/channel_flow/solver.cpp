#include "solver.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

namespace channel {

Sweeps parse_sweeps(const std::string& solver, const std::string& z) {
  Sweeps sweeps;
  if (z != "naive" && z != "transposed")
    throw tandem::InvalidArgument(
        fmt::format("channel_flow: --z is '{}'; it must be naive or transposed", z));
  sweeps.transpose_z = z == "transposed";
  if (solver == "fused") {
    sweeps.fused = true;
    if (sweeps.transpose_z)
      throw tandem::InvalidArgument("channel_flow: --solver fused transposes nothing; leave out --z");
    return sweeps;
  }
  std::vector<std::string> names{""};
  for (const char c : solver) {
    if (c == ',')
      names.emplace_back();
    else
      names.back() += c;
  }
  if ((names.size() != 1 && names.size() != 3) ||
      (names.size() == 3 && std::find(names.begin(), names.end(), "") != names.end())) {
    throw tandem::InvalidArgument(fmt::format(
        "channel_flow: --solver is '{}'; it takes one name, or three for x,y,z, none of them empty", solver));
  }
  for (std::size_t axis = 0; axis < 3; ++axis) sweeps.use[axis] = names[axis % names.size()];
  return sweeps;
}

Splitting parse_splitting(const std::string& name) {
  if (name == "factored") return Splitting::factored;
  if (name == "lecture") return Splitting::lecture;
  throw tandem::InvalidArgument(
      fmt::format("channel_flow: --splitting is '{}'; it must be factored or lecture", name));
}

template <class T>
Fields<T> sample(const Flow& flow, const Profile& profile, double t) {
  Fields<T> fields;
  for (auto& field : fields) field.resize(static_cast<std::size_t>(flow.cells()));
#pragma omp parallel for collapse(2) schedule(static)
  for (std::int64_t i = 0; i < flow.n[0]; ++i) {
    for (std::int64_t j = 0; j < flow.n[1]; ++j) {
      for (std::int64_t k = 0; k < flow.n[2]; ++k) {
        const Values at = profile(flow.position(0, i), flow.position(1, j), flow.position(2, k), t);
        const auto c = static_cast<std::size_t>((i * flow.n[1] + j) * flow.n[2] + k);
        for (std::size_t a = 0; a < kUnknowns; ++a) fields[a][c] = static_cast<T>(at[a]);
      }
    }
  }
  return fields;
}

namespace {
/// The flow, once its numbers are checked and its arrays, with the fields of the start, have all found room at
/// once: one by one they would, where memory is only promised.
template <class T>
const Flow& checked(tandem::Context& ctx, const Flow& flow, const Sweeps& sweeps) {
  flow.check();
  const int arrays = 3 * kUnknowns + 9 + (flow.local_iterations > 1 ? 4 : 0) + (sweeps.transpose_z ? 4 : 0);
  const tandem::Array<T> room(ctx, arrays * flow.cells());
  return flow;
}
}  // namespace

template <class T>
Solver<T>::Solver(tandem::Context& ctx, const Flow& flow, const Sweeps& sweeps, const Profile& start,
                  std::unique_ptr<Loops<T>> loops)
    : ctx_(ctx),
      flow_(checked<T>(ctx, flow, sweeps)),
      sweeps_(sweeps),
      scheme_(flow),
      loops_(loops ? std::move(loops) : make_loops<T>(ctx)),
      weight_(static_cast<T>(flow.theta * flow.dt / (sweeps.splitting == Splitting::lecture ? 3 : 1))),
      next_rho_(ctx, flow.cells()),
      miss_(ctx, flow.cells()) {
  const auto allocate = [&](std::vector<Array>& arrays, int count) {
    for (int i = 0; i < count; ++i) arrays.emplace_back(ctx_, flow_.cells());
  };
  allocate(q_, kUnknowns);
  allocate(known_, kUnknowns);
  allocate(residual_, 4);
  allocate(coefficients_, 3);
  if (flow_.local_iterations > 1) allocate(solution_, 4);
  if (sweeps_.transpose_z) allocate(turned_, flow_.local_iterations > 1 ? 4 : 3);
  restore(sample<T>(flow_, start, 0), 0);
}

template <class T>
void Solver<T>::restore(const Fields<T>& fields, std::int64_t steps) {
  for (std::size_t a = 0; a < kUnknowns; ++a) q_[a].upload(fields[a]);
  steps_ = steps;
}

template <class T>
Fields<T> Solver<T>::fields() const {
  Fields<T> fields;
  for (std::size_t a = 0; a < kUnknowns; ++a) fields[a] = q_[a].to_vector();
  return fields;
}

template <class T>
State<T> Solver<T>::state() {
  return {{q_[0].data(), q_[1].data(), q_[2].data(), q_[3].data(), q_[4].data()}};
}
template <class T>
State<T> Solver<T>::known() {
  return {{known_[0].data(), known_[1].data(), known_[2].data(), known_[3].data(), known_[4].data()}};
}

template <class T>
void Solver<T>::add_source() {
  const Fields<T> source = sample<T>(flow_, source_, time() + flow_.dt / 2);
  for (std::size_t a = 0; a < kUnknowns; ++a) {
    std::vector<T> sum = known_[a].to_vector();
    for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += static_cast<T>(flow_.dt) * source[a][c];
    known_[a].upload(sum);
  }
}

template <class T>
Report Solver<T>::step() try {
  const auto begin = std::chrono::steady_clock::now();
  Report report;
  if (sweeps_.splitting == Splitting::lecture)
    split_step(report);
  else
    factored_step(report);
  ++steps_;
  report.sweeps = std::int64_t{report.iterations} * flow_.local_iterations;
  report.total = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
} catch (
    const tandem::SingularSystem&) {  // matrices of finite fields are diagonally dominant, never singular
  throw_not_finite();
}

template <class T>
void Solver<T>::factored_step(Report& report) {
  loops_->run(Start<T>{scheme_, state(), known(), static_cast<T>((1 - flow_.theta) * flow_.dt)});
  if (source_) add_source();
  do {
    ++report.iterations;
    loops_->run(
        Residual<T>{scheme_,
                    state(),
                    known(),
                    {residual_[0].data(), residual_[1].data(), residual_[2].data(), residual_[3].data()},
                    weight_});
    loops_->mark(0);
    for (int axis = 0; axis < 3; ++axis) {
      sweep(axis);
      loops_->mark(axis + 1);
    }
    loops_->run(
        Update<T>{scheme_,
                  state(),
                  {residual_[0].data(), residual_[1].data(), residual_[2].data(), residual_[3].data()}});
    update_density(report);
    if (report.iterations == flow_.most_iterations && report.residual > flow_.tolerance) {
      throw tandem::Error(
          fmt::format("channel_flow: step {}: the continuity residual is {:.3g} after {} iterations, above "
                      "the tolerance {:.3g}; take a "
                      "smaller dt than {}, or a larger tolerance",
                      steps_ + 1, report.residual, report.iterations, flow_.tolerance, flow_.dt));
    }
    // One iteration has frozen coefficients; the second one makes the step second order.
  } while (report.iterations < 2 || report.residual > flow_.tolerance);
}

/// The lecture's: along each axis in turn the operator of that axis alone, over a third of the time.
template <class T>
void Solver<T>::split_step(Report& report) {
  const T third = static_cast<T>(flow_.dt / 3);
  loops_->run(
      Start<T>{scheme_, state(), known(), static_cast<T>(1 - flow_.theta) * third});  // of the density
  report.iterations = 1;
  loops_->mark(0);
  for (int axis = 0; axis < 3; ++axis) {
    loops_->run(
        Fraction<T>{scheme_,
                    state(),
                    axis,
                    {residual_[0].data(), residual_[1].data(), residual_[2].data(), residual_[3].data()},
                    third});
    sweep(axis);
    loops_->run(
        Update<T>{scheme_,
                  state(),
                  {residual_[0].data(), residual_[1].data(), residual_[2].data(), residual_[3].data()}});
    loops_->mark(axis + 1);
  }
  update_density(report);
}

/// The density from continuity with the new velocities; waits for the end of the iteration.
template <class T>
void Solver<T>::update_density(Report& report) {
  loops_->run(Continuity<T>{scheme_, state(), known_[kRho].data(), next_rho_.data(), miss_.data(), weight_});
  std::swap(q_[kRho], next_rho_);
  report.residual = tandem::reduce(ctx_, miss_, tandem::maximum);  // waits
  for (int axis = 0; axis < 3; ++axis)
    report.seconds[static_cast<std::size_t>(axis)] += loops_->seconds(axis, axis + 1);
  if (!std::isfinite(report.residual)) throw_not_finite();
}

template <class T>
void Solver<T>::throw_not_finite() const {
  throw tandem::Error(
      fmt::format("channel_flow: step {} met numbers that are not finite; take a smaller dt than {}",
                  steps_ + 1, flow_.dt));
}

template <class T>
std::array<double, 3> Solver<T>::time_sweeps() {
  loops_->mark(0);
  for (int axis = 0; axis < 3; ++axis) {
    sweep(axis);
    loops_->mark(axis + 1);
  }
  ctx_.synchronize();
  return {loops_->seconds(0, 1), loops_->seconds(1, 2), loops_->seconds(2, 3)};
}

template <class T>
double Solver<T>::time_transposes() {
  if (!sweeps_.transpose_z) return 0;
  loops_->mark(0);
  turn(q_[kRho], turned_[0]);
  turn(q_[kU + 2], turned_[1]);
  for (Array& field : residual_) {
    turn(field, turned_[2]);
    turn_back(turned_[2], field);
  }
  loops_->mark(1);
  ctx_.synchronize();
  return loops_->seconds(0, 1);
}

/// Transposes a field, nx·ny lines along z, so that z becomes its outermost axis.
template <class T>
void Solver<T>::turn(const Array& field, Array& turned) {
  const auto [nx, ny, nz] = flow_.n;
  tandem::transpose(ctx_, tandem::matrix(field, nx * ny, nz), tandem::matrix(turned, nz, nx * ny));
}
template <class T>
void Solver<T>::turn_back(const Array& turned, Array& field) {
  const auto [nx, ny, nz] = flow_.n;
  tandem::transpose(ctx_, tandem::matrix(turned, nz, nx * ny), tandem::matrix(field, nx * ny, nz));
}

/// Replaces residual_ by the solution along `axis`. Local iterations build the coefficients again from the
/// velocity that the sweep has just computed.
template <class T>
void Solver<T>::sweep(int axis) {
  std::vector<Array>& out = flow_.local_iterations > 1 ? solution_ : residual_;
  const T* correction = nullptr;
  for (int local = 0; local < flow_.local_iterations; ++local) {
    if (sweeps_.fused) {
      Sweep<T> f{
          scheme_, axis, weight_, q_[kRho].data(), q_[static_cast<std::size_t>(kU + axis)].data(), correction,
          {},      {},   {}};
      for (int unknown = 0; unknown < 4; ++unknown) {
        const auto a = static_cast<std::size_t>(field_of(unknown, axis));
        f.rhs[unknown] = residual_[a].data();
        f.x[unknown] = out[a].data();
      }
      for (std::size_t g = 0; g < kGroups; ++g) f.above[g] = coefficients_[g].data();
      loops_->run(f);
    } else {
      solve(axis, correction, out);
    }
    correction = out[static_cast<std::size_t>(axis)].data();
  }
  if (flow_.local_iterations > 1) std::swap(residual_, solution_);
}

template <class T>
void Solver<T>::solve(int axis, const T* correction, std::vector<Array>& out) {
  const auto [nx, ny, nz] = flow_.n;
  const bool turns = axis == 2 && sweeps_.transpose_z;
  const tandem::Systems systems =
      turns ? tandem::interleaved(nz, nx * ny) : tandem::sweep(2 - axis, nz, ny, nx);

  const Array& velocity = q_[static_cast<std::size_t>(kU + axis)];
  Coefficients<T> f{scheme_,
                    axis,
                    kAlong,
                    weight_,
                    q_[kRho].data(),
                    velocity.data(),
                    correction,
                    coefficients_[0].data(),
                    coefficients_[1].data(),
                    coefficients_[2].data(),
                    axis,
                    {nx, ny, nz}};
  if (turns) {
    turn(q_[kRho], turned_[0]);
    turn(velocity, turned_[1]);
    if (correction) turn(out[2], turned_[3]);
    f = {scheme_,
         axis,
         kAlong,
         f.weight,
         turned_[0].data(),
         turned_[1].data(),
         correction ? turned_[3].data() : nullptr,
         f.lower,
         f.diag,
         f.upper,
         0,
         {nz, nx, ny}};
  }
  // The velocity along the axis comes last: its solution overwrites the correction, which the
  // other two groups read.
  for (const Group group : {kAcross, kTemperature, kAlong}) {
    f.group = group;
    loops_->run(f);
    for (int unknown = 0; unknown < 4; ++unknown) {
      if (group_of(unknown) != group) continue;
      const auto a = static_cast<std::size_t>(field_of(unknown, axis));
      const tandem::Options options{.use = sweeps_.use[static_cast<std::size_t>(axis)]};
      const auto solve_one = [&](const Array& rhs, Array& x) {
        tandem::tridiagonal(ctx_, coefficients_[0], coefficients_[1], coefficients_[2], rhs, x, systems,
                            options);
      };
      if (turns) {
        turn(residual_[a], turned_[2]);
        solve_one(turned_[2], turned_[2]);
        turn_back(turned_[2], out[a]);
      } else {
        solve_one(residual_[a], out[a]);
      }
    }
  }
}

template class Solver<float>;
template class Solver<double>;
template Fields<float> sample<float>(const Flow&, const Profile&, double);
template Fields<double> sample<double>(const Flow&, const Profile&, double);

}  // namespace channel
