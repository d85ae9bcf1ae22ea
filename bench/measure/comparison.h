#pragma once
// The heart of `tandem compare`: implementations on the same problem, checked first, then timed in one
// shuffled run; and the bounds of this machine.

#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bench/command/command.h"
#include "bench/measure/clocks.h"
#include "bench/measure/measure.h"
#include "bench/terminal.h"

namespace tandem::command {

using Json = nlohmann::ordered_json;

struct Row {
  const Implementation* implementation = nullptr;
  bool alone = false;  // the library's own call, without the copies that the row before it makes around it
  bool checked = false;
  Verdict verdict;
  bool outside_promise = false;      // its wrong result
  std::string reason;                // why it was not run or not timed
  bool automatic = false;            // the automatic choice of its place
  std::optional<bool> early;         // starts before the grid before it has ended; unknown but on a device
  std::optional<std::size_t> timed;  // index in the measurement of its group
  Timing time;
  std::shared_ptr<std::vector<Phases>> phases = std::make_shared<std::vector<Phases>>();  // from end to end
  std::shared_ptr<std::vector<Clocks::Reading>> clocks =
      std::make_shared<std::vector<Clocks::Reading>>();  // after each sample

  std::string name() const { return implementation->name + (alone ? " (library alone)" : ""); }
  bool wrong() const { return !verdict.correct && !outside_promise; }
  /// Medians of the phases; none but of a device's row from end to end.
  std::optional<Phases> median_phases() const;
  /// Whether others are compared with it: what a user can call, in full precision.
  bool competes() const { return timed && !alone && !implementation->reduced_precision(); }
};

/// One table: a trial and what implementations of its operation make of it.
struct Group {
  const Operation* operation;
  int case_index;
  Trial trial;
  Method method;
  std::vector<Row> rows;
  /// What bounds it on a place, in bytes or operations per second: the fastest pass over as much, taken in the
  /// same way, or what a row reached that was faster still.
  std::map<Place, double> bounds;

  CaseId id() const { return operation->cases[static_cast<std::size_t>(case_index)]; }
  Work work() const { return operation->work(id(), trial); }
  /// "GFLOP/s" where arithmetic bounds the operation, else "GB/s".
  const char* unit() const { return operation->bound == Bound::flops ? "GFLOP/s" : "GB/s"; }
  /// In units of 10^9 per second.
  double rate(const Row& row) const;
  /// Computational intensity: operations per byte that must move. The flops of real arithmetic.
  double intensity() const { return work().operations / work().bytes; }
  /// Time of the fastest vendor row of the same place and precision ÷ this row's.
  std::optional<double> vs_vendor(const Row& row) const;
  /// Time of the last timed step of the ladder before this one ÷ this row's.
  std::optional<double> vs_previous(const Row& row) const;
};

/// When, where, of what build and how a run measured. `clocks`: of the GPU meanwhile.
Json machine(const Contexts& contexts, const std::string& method, int repetitions, const Json& clocks);

/// "n = 64K" or "1Kx2K".
std::string extents(const Trial& trial);

class Comparison {
 public:
  Comparison(int repetitions, std::uint64_t seed);

  /// Checks the implementations on a trial, then times those that are right. `all_rows`: of this comparison, for
  /// the progress line.
  const Group& run(const Operation& operation, int case_index, Trial trial, Method method,
                   const std::vector<const Implementation*>& implementations, std::size_t all_rows);

  const std::deque<Group>& groups() const { return groups_; }
  /// A comparison of nothing is an error: Unavailable with the first reason.
  void require_something() const;
  bool correct() const;
  /// Whether times on the CPU spread so much that something else must be running: their median spread then.
  std::optional<double> busy() const;
  Context* context(const Row& row) { return contexts_.of(row.implementation->place); }
  /// Share of the bound, at most 1; none where the data fits in a cache, of which a bandwidth does not speak,
  /// for rows in reduced precision, which have another, and for the time of the host.
  std::optional<double> bound_fraction(const Group& group, const Row& row);
  /// What this machine reaches on large arrays, and its clocks meanwhile.
  void print_bounds() const;
  Json machine() const;
  Json to_json(const Group& group, const Row& row);

 private:
  /// Read or copy bandwidth, or the rate of multiply-adds of one type.
  struct BoundKey {
    bool on_device;
    Bound bound;
    Type type;  // f32 but for Bound::flops
    auto operator<=>(const BoundKey&) const = default;
    std::string name() const;
  };
  /// Null where there is none.
  const Implementation* automatic_choice(const Operation& op, int case_index, const Trial& trial,
                                         Place place);
  /// That of a place; of a device by Method::managed one with managed memory, which throws Unavailable where there is
  /// none.
  Context* context_for(Method method, Place place);
  /// Adds a sample of a row to a measurement; the row's clocks are read behind each.
  void add(Row& row, Measurement& measurement, Sampler sampler);
  /// Measures what reads, copies and the arithmetic of a group reach on large arrays, unless it is known.
  void measure_large(const Group& group, Place place);

  int repetitions_;
  std::uint64_t seed_;
  Contexts contexts_;
  std::unique_ptr<Context> managed_;
  Clocks clocks_;
  std::deque<Group> groups_;
  std::map<std::tuple<const Implementation*, int, std::string>, Verdict> on_executor_;  // by case and trial
  std::size_t rows_done_ = 0;
  std::map<BoundKey, double> rates_;  // bytes or operations per second
  Progress progress_;
};

}  // namespace tandem::command
