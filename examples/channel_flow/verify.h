#pragma once
// Checks of the solver: known solutions and invariants, for `channel_flow verify` and the tests.

#include <string>
#include <vector>

#include "solver.h"

namespace channel {

struct Result {
  std::string name;
  std::vector<std::int64_t> cells;  // along each axis of interest
  std::vector<double> errors;       // largest over all nodes, relative to the solution's size
  double limit = 0;                 // of the errors, where no order is required
  double lowest = 0, highest = 0;   // order required; both 0: none

  /// log2 of the ratio of consecutive errors; the numbers of cells double.
  std::vector<double> orders() const;
  bool passed() const;
};

using Cells = std::vector<std::int64_t>;

// Over ranks the first one gets results, and others an error of 0 or none.

/// Flow between plates from rest: the parabola, to round-off on any grid.
Result poiseuille(const Where& where, const Cells& cells);
/// Flow in a square duct from rest, against its Fourier series.
Result square_duct(const Where& where, const Cells& cells);
/// A sine of temperature in a cube of gas at rest decays.
Result diffusion(const Where& where, const Cells& cells);
/// The same by the lecture's splitting, against a decay over a third of the time: its clock is wrong.
Result lecture_splitting(const Where& where, const Cells& cells);
/// All equations with sources that make smooth fields of all unknowns their solution.
Result manufactured(const Where& where, const Cells& cells);
/// A uniform oblique stream through open faces, and one from inflow to outflow, stay as they are.
Result free_stream(const Where& where, const Cells& cells);
/// A flow with the symmetries of a duct keeps them.
Result mirror(const Where& where, const Cells& cells);
/// A steady flow from inflow to outflow: as much mass leaves as enters; the profile of a long duct.
Result entrance(const Where& where, const Cells& cells);
/// The fields of every solver that is available there, against those of the first.
std::vector<Result> same_fields(const Where& where, std::int64_t cells, bool single);

/// The solvers that same_fields compares: arguments of parse_sweeps.
std::vector<std::pair<std::string, std::string>> ways(const Where& where);

/// All checks above, at small sizes or at those of the documentation (`full`).
struct Check {
  std::string name;
  std::function<std::vector<Result>(const Where&)> run;
};
std::vector<Check> checks(bool full);

}  // namespace channel
