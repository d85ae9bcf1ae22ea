#pragma once
// One flow, advanced step by step. docs/channel_flow.md derives the scheme.

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "loops.h"
#include "ranks.h"

namespace channel {

/// How a step is split into sweeps. factored: the product of the three matrices corrects the whole residual,
/// again and again until the step solves the equations. lecture: each axis in turn advances by Δt/3 with its own
/// operator (docs/channel_flow.md says what that costs).
enum class Splitting { factored, lecture };
/// Its name. Throws tandem::InvalidArgument.
Splitting parse_splitting(const std::string& name);

/// How sweeps are solved.
struct Sweeps {
  /// The implementation of tandem::tridiagonal for x, y and z: as Options::use, empty: automatic.
  std::array<std::string, 3> use;
  bool transpose_z =
      false;  // lines along z are transposed to be interleaved as along x and y, solved, transposed back
  Splitting splitting = Splitting::factored;
  bool fused = false;  // coefficients are built inside the sweep, which solves for all unknowns at once
  /// portable: fields have the same bits on any number of ranks. Goes with no names.
  tandem::Bits bits = tandem::Bits::own;
};
/// "fused", one name for all axes, or three with commas between them; bits: "own" or "portable". Throws tandem::InvalidArgument.
Sweeps parse_sweeps(const std::string& solver, const std::string& z, const std::string& bits = "own");

/// What a step cost.
struct Report {
  int iterations = 0;
  double residual = 0;              // of continuity, as a share of the reference density
  std::array<double, 3> seconds{};  // in the sweeps along x, y, z
  double total = 0;                 // seconds of the whole step
  std::int64_t sweeps = 0;          // along each axis; each solves for u, v, w and T on all lines
};

/// Fields of the whole on the host: node (i, j, k) is element (i·ny + j)·nz + k.
template <class T>
using Fields = std::array<std::vector<T>, kUnknowns>;

template <class T>
class Solver {
 public:
  /// Starts from `start` at time 0. What `where` names must outlive the solver. Over ranks each makes one, by itself, and
  /// all other calls are made together. Throws tandem::InvalidArgument (see
  /// Flow::check), Unavailable, OutOfMemory.
  Solver(const Where& where, const Flow& flow, const Sweeps& sweeps, const Profile& start,
         std::unique_ptr<Loops<T>> loops = nullptr);

  /// Adds a source to every equation of a factored step, taken at mid-step: rates of ρ, u, v, w, T. For
  /// manufactured solutions.
  void set_source(Profile source) { source_ = std::move(source); }

  /// Advances by Δt: global iterations until the continuity residual is below the tolerance; one without such a
  /// test where the splitting is the lecture's. Throws
  /// tandem::Error where it does not converge, or meets a NaN; the state is then that of the last iteration.
  /// After the first step it allocates nothing and reads one number back per iteration. O(cells) per
  /// iteration.
  Report step();

  const Flow& flow() const { return flow_; }
  std::int64_t steps() const { return steps_; }
  double time() const { return flow_.dt * static_cast<double>(steps_); }
  /// Over ranks the first one has them, and others get nothing.
  Fields<T> fields() const;
  /// Continues from fields saved after `steps` steps; over ranks from what the first one gives.
  void restore(const Fields<T>& fields, std::int64_t steps);

  /// The three sweeps of one iteration alone, on what the arrays hold: for timing. Returns seconds per axis.
  std::array<double, 3> time_sweeps();
  /// The transposes of one such sweep along z alone: there and back, so that the arrays keep what they hold.
  /// Returns seconds; 0 where nothing is transposed (Sweeps::transpose_z).
  double time_transposes();

 private:
  using Array = tandem::Array<T>;
  State<T> state();
  State<T> known();
  void upload(const Fields<T>& fields);
  std::int64_t plane() const { return flow_.n[1] * flow_.n[2]; }
  /// This rank's nodes of a field: the array without its room for planes of neighbours.
  tandem::View<T> own(Array& field) const {
    return {field.data() + planes_.room * plane(), planes_.count * plane()};
  }
  tandem::View<const T> own(const Array& field) const {
    return {field.data() + planes_.room * plane(), planes_.count * plane()};
  }
  void update();
  void add_source();
  void factored_step(Report& report);
  void split_step(Report& report);
  void update_density(Report& report);
  tandem::Error not_finite() const;
  void sweep(int axis);
  void solve(int axis, const T* correction, std::vector<Array>& out);
  void solve_lines(int axis, const tandem::Systems& systems, tandem::View<const T> rhs, tandem::View<T> x);
  void turn(const Array& field, Array& turned);
  void turn_back(const Array& turned, Array& field);

  Where where_;
  tandem::Context& ctx_;
  Flow flow_;
  Planes planes_;
  Sweeps sweeps_;
  Scheme<T> scheme_;
  std::unique_ptr<Loops<T>> loops_;
  Profile source_;
  T weight_;  // θ·(the time that a sweep advances)
  std::int64_t steps_ = 0;
  std::exception_ptr failure_;  // of this rank's sweeps along y and z, or of a singular matrix
  std::vector<Array> q_, known_, residual_, solution_, coefficients_, turned_;
  Array next_rho_, miss_;
};

/// Every node's values by a profile, at time t.
template <class T>
Fields<T> sample(const Flow& flow, const Profile& profile, double t);
/// Of these planes alone, with zeros in the room beside them.
template <class T>
Fields<T> sample(const Flow& flow, const Planes& planes, const Profile& profile, double t);

}  // namespace channel
