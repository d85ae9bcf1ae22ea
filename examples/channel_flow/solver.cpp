#include "solver.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>

namespace channel {

Sweeps parse_sweeps(const std::string& solver, const std::string& z, const std::string& bits) {
  Sweeps sweeps;
  if (bits != "own" && bits != "portable")
    throw tandem::InvalidArgument(
        fmt::format("channel_flow: --bits is '{}'; it must be own or portable", bits));
  if (bits == "portable") {
    if (!solver.empty())
      throw tandem::InvalidArgument(
          "channel_flow: --bits portable names the implementations itself; leave out --solver");
    sweeps.bits = tandem::portable;
  }
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
  return sample<T>(flow, {0, flow.n[0], 0}, profile, t);
}

template <class T>
Fields<T> sample(const Flow& flow, const Planes& planes, const Profile& profile, double t) {
  Fields<T> fields;
  for (auto& field : fields)
    field.resize(static_cast<std::size_t>(planes.in_array() * flow.n[1] * flow.n[2]));
  const std::int64_t before = planes.first - planes.room;
#pragma omp parallel for collapse(2) schedule(static)
  for (std::int64_t i = planes.first; i < planes.first + planes.count; ++i) {
    for (std::int64_t j = 0; j < flow.n[1]; ++j) {
      for (std::int64_t k = 0; k < flow.n[2]; ++k) {
        const Values at = profile(flow.position(0, i), flow.position(1, j), flow.position(2, k), t);
        const auto c = static_cast<std::size_t>(((i - before) * flow.n[1] + j) * flow.n[2] + k);
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
const Flow& checked(const Where& where, const Flow& flow, const Sweeps& sweeps) {
  flow.check();
  if (where.all && sweeps.fused)
    throw tandem::Unavailable(
        "channel_flow: a fused sweep takes whole lines, and ranks have parts of those along x; leave out "
        "--solver fused");
  const int arrays = 3 * kUnknowns + 9 + (flow.local_iterations > 1 ? 4 : 0) + (sweeps.transpose_z ? 4 : 0);
  const tandem::Array<T> room(where.ctx, arrays * planes_of(flow, where).in_array() * flow.n[1] * flow.n[2]);
  return flow;
}
}  // namespace

template <class T>
Solver<T>::Solver(const Where& where, const Flow& flow, const Sweeps& sweeps, const Profile& start,
                  std::unique_ptr<Loops<T>> loops)
    : where_(where),
      ctx_(where.ctx),
      flow_(checked<T>(where, flow, sweeps)),
      planes_(planes_of(flow, where)),
      sweeps_(sweeps),
      scheme_(flow, planes_),
      loops_(loops ? std::move(loops) : make_loops<T>(ctx_)),
      weight_(static_cast<T>(flow.theta * flow.dt / (sweeps.splitting == Splitting::lecture ? 3 : 1))),
      next_rho_(ctx_, planes_.in_array() * plane()),
      miss_(ctx_, planes_.in_array() * plane()) {
  const auto allocate = [&](std::vector<Array>& arrays, int count) {
    for (int i = 0; i < count; ++i) arrays.emplace_back(ctx_, planes_.in_array() * plane());
  };
  allocate(q_, kUnknowns);
  allocate(known_, kUnknowns);
  allocate(residual_, 4);
  allocate(coefficients_, 3);
  if (flow_.local_iterations > 1) allocate(solution_, 4);
  if (sweeps_.transpose_z) allocate(turned_, flow_.local_iterations > 1 ? 4 : 3);
  if (sweeps_.bits == tandem::portable) {
    sweeps_.use.fill("custom/threads");  // whose bits those over ranks are
    if (where_.all) sweeps_.use[0].clear();
  }
  upload(sample<T>(flow_, planes_, start, 0));
}

template <class T>
void Solver<T>::upload(const Fields<T>& fields) {
  for (std::size_t a = 0; a < kUnknowns; ++a) q_[a].upload(fields[a]);
}

template <class T>
void Solver<T>::restore(const Fields<T>& fields, std::int64_t steps) {
  steps_ = steps;
  if (!where_.all) return upload(fields);
  // The whole is one row that the first rank has; ranks get its transposed, row by row.
  const std::array<std::int64_t, 1> told{where_.is_first() ? steps : 0};
  steps_ = tandem::reduce(*where_.all, told, tandem::maximum);
  for (std::size_t a = 0; a < kUnknowns; ++a) {
    const auto mine = own(q_[a]);
    tandem::transpose(*where_.all, tandem::matrix(fields[a], where_.is_first() ? 1 : 0, flow_.cells()),
                      tandem::matrix(mine, mine.size, 1));
  }
}

template <class T>
Fields<T> Solver<T>::fields() const {
  Fields<T> fields;
  if (!where_.all) {
    for (std::size_t a = 0; a < kUnknowns; ++a) fields[a] = q_[a].to_vector();
    return fields;
  }
  together(where_, [&] {
    for (auto& field : fields) field.resize(where_.is_first() ? static_cast<std::size_t>(flow_.cells()) : 0);
  });
  for (std::size_t a = 0; a < kUnknowns; ++a) {
    const auto mine = own(q_[a]);
    tandem::transpose(*where_.all, tandem::matrix(mine, mine.size, 1),
                      tandem::matrix(fields[a], where_.is_first() ? 1 : 0, flow_.cells()));
  }
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
  const Fields<T> source = sample<T>(flow_, planes_, source_, time() + flow_.dt / 2);
  for (std::size_t a = 0; a < kUnknowns; ++a) {
    std::vector<T> sum = known_[a].to_vector();
    for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += static_cast<T>(flow_.dt) * source[a][c];
    known_[a].upload(sum);
  }
}

template <class T>
Report Solver<T>::step() {
  const auto begin = std::chrono::steady_clock::now();
  Report report;
  if (where_.all)
    tandem::halos(*where_.all, plane(), tandem::Ends::open, q_[kRho], q_[kU], q_[kV], q_[kW], q_[kT]);
  if (sweeps_.splitting == Splitting::lecture)
    split_step(report);
  else
    factored_step(report);
  ++steps_;
  report.sweeps = std::int64_t{report.iterations} * flow_.local_iterations;
  report.total = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

/// Adds the solution of the sweeps, in residual_, to the velocities and the temperature.
template <class T>
void Solver<T>::update() {
  loops_->run(
      Update<T>{scheme_,
                state(),
                {residual_[0].data(), residual_[1].data(), residual_[2].data(), residual_[3].data()}});
  if (where_.all) tandem::halos(*where_.all, plane(), tandem::Ends::open, q_[kU], q_[kV], q_[kW], q_[kT]);
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
    update();
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
    update();
    loops_->mark(axis + 1);
  }
  update_density(report);
}

/// The density from continuity with the new velocities; waits for the end of the iteration.
template <class T>
void Solver<T>::update_density(Report& report) {
  loops_->run(Continuity<T>{scheme_, state(), known_[kRho].data(), next_rho_.data(), miss_.data(), weight_});
  std::swap(q_[kRho], next_rho_);
  const T missed = tandem::reduce(ctx_, own(miss_), tandem::maximum);  // waits
  const std::array<T, 1> mine{failure_ ? std::numeric_limits<T>::quiet_NaN() : missed};
  report.residual = where_.all ? tandem::reduce(*where_.all, mine, tandem::maximum) : mine[0];
  if (where_.all) tandem::halos(*where_.all, plane(), tandem::Ends::open, q_[kRho]);
  for (int axis = 0; axis < 3; ++axis)
    report.seconds[static_cast<std::size_t>(axis)] += loops_->seconds(axis, axis + 1);
  if (std::isfinite(report.residual)) return;
  together(where_, [&] {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  });
  throw not_finite();
}

template <class T>
tandem::Error Solver<T>::not_finite() const {
  return tandem::Error(
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
  const std::int64_t nz = flow_.n[2], lines = planes_.count * flow_.n[1];
  tandem::transpose(ctx_, tandem::matrix(own(field), lines, nz), tandem::matrix(own(turned), nz, lines));
}
template <class T>
void Solver<T>::turn_back(const Array& turned, Array& field) {
  const std::int64_t nz = flow_.n[2], lines = planes_.count * flow_.n[1];
  tandem::transpose(ctx_, tandem::matrix(own(turned), nz, lines), tandem::matrix(own(field), lines, nz));
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
    correction = own(out[static_cast<std::size_t>(axis)]).data;
  }
  if (flow_.local_iterations > 1) std::swap(residual_, solution_);
}

template <class T>
void Solver<T>::solve(int axis, const T* correction, std::vector<Array>& out) {
  const std::int64_t nx = planes_.count, ny = flow_.n[1], nz = flow_.n[2];
  const bool turns = axis == 2 && sweeps_.transpose_z;
  if (nx == 0 && axis > 0) return;  // a rank without planes
  const tandem::Systems systems = axis == 0 ? tandem::interleaved(nx, ny * nz)
                                  : turns   ? tandem::interleaved(nz, nx * ny)
                                            : tandem::sweep(2 - axis, nz, ny, nx);

  const Array& velocity = q_[static_cast<std::size_t>(kU + axis)];
  Coefficients<T> f{scheme_,
                    axis,
                    kAlong,
                    weight_,
                    own(q_[kRho]).data,
                    own(velocity).data,
                    correction,
                    own(coefficients_[0]).data,
                    own(coefficients_[1]).data,
                    own(coefficients_[2]).data,
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
         own(turned_[0]).data,
         own(turned_[1]).data,
         correction ? own(turned_[3]).data : nullptr,
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
      const auto solve_one = [&](const Array& rhs, Array& x) {
        solve_lines(axis, systems, own(rhs), own(x));
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

/// Lines along x go over ranks; those along y and z are each rank's own, and so is what happens to them: it is told at the end of
/// the iteration. Matrices of finite fields are diagonally dominant, never singular.
template <class T>
void Solver<T>::solve_lines(int axis, const tandem::Systems& systems, tandem::View<const T> rhs,
                            tandem::View<T> x) {
  const bool over_ranks = where_.all && axis == 0;
  const auto lower = own(coefficients_[0]), diag = own(coefficients_[1]), upper = own(coefficients_[2]);
  tandem::Options options{.use = sweeps_.use[static_cast<std::size_t>(axis)]};
  try {
    if (over_ranks) {
      options.bits = sweeps_.bits;
      tandem::tridiagonal(*where_.all, lower, diag, upper, rhs, x, systems, options);
    } else {
      tandem::tridiagonal(ctx_, lower, diag, upper, rhs, x, systems, options);
    }
  } catch (const tandem::SingularSystem&) {
    failure_ = std::make_exception_ptr(not_finite());
  } catch (...) {
    if (!where_.all || over_ranks) throw;
    failure_ = std::current_exception();
  }
}

template class Solver<float>;
template class Solver<double>;
template Fields<float> sample<float>(const Flow&, const Profile&, double);
template Fields<double> sample<double>(const Flow&, const Profile&, double);
template Fields<float> sample<float>(const Flow&, const Planes&, const Profile&, double);
template Fields<double> sample<double>(const Flow&, const Planes&, const Profile&, double);

}  // namespace channel
