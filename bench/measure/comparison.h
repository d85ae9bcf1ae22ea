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
#include "bench/measure/measure.h"
#include "bench/terminal.h"

namespace tandem::command {

using Json = nlohmann::ordered_json;

struct Row {
  const Implementation* implementation = nullptr;
  bool checked = false;
  Verdict verdict;
  std::string reason;                // why it was not run or not timed
  bool automatic = false;            // the automatic choice of its place
  std::optional<std::size_t> timed;  // index in the measurement of its group
  Timing time;
};

/// One table: a trial and what implementations of its operation make of it.
struct Group {
  const Operation* operation;
  int case_index;
  Trial trial;
  std::vector<Row> rows;

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

/// When, where and how a run measured.
Json machine(const Contexts& contexts, const std::string& method, int repetitions);

/// "n = 64K" or "1Kx2K".
std::string extents(const Trial& trial);

class Comparison {
 public:
  Comparison(Method method, int repetitions, std::uint64_t seed)
      : method_(method), repetitions_(repetitions), seed_(seed) {}

  /// Checks the implementations on a trial, then times those that are right. `progress` stands before what is
  /// shown of it: "3 of 40".
  const Group& run(const Operation& operation, int case_index, Trial trial,
                   const std::vector<const Implementation*>& implementations, const std::string& progress);

  const std::deque<Group>& groups() const { return groups_; }
  /// A comparison of nothing is an error: Unavailable with the first reason.
  void require_something() const;
  bool correct() const;
  /// Whether times on the CPU spread so much that something else must be running: their median spread then.
  std::optional<double> busy() const;
  Context* context(const Row& row) { return contexts_.of(row.implementation->place); }
  /// Share of the bound; none where the data fits in a cache, of which a bandwidth does not speak.
  std::optional<double> bound_fraction(const Group& group, const Row& row);
  /// What bounds the operation of a group on a place, in operations or bytes per second.
  double bound(const Group& group, bool on_device) const { return rates_.at(key(group, on_device)); }
  void print_bounds() const;
  Json machine() const;
  Json to_json(const Group& group, const Row& row);

 private:
  /// What bounds a group of rows: read or copy bandwidth, or the rate of multiply-adds of one type.
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
  static BoundKey key(const Group& group, bool on_device);
  std::function<double()> sample_of(const Implementation& i, int case_index, Problem& problem, Context& ctx);
  /// Measures what bounds a group, and what copies and reads reach. Known is the best so far.
  void measure_bounds(const Group& group, bool on_device);

  Method method_;
  int repetitions_;
  std::uint64_t seed_;
  Contexts contexts_;
  std::deque<Group> groups_;
  std::map<std::tuple<const Implementation*, int, std::string>, Verdict> on_executor_;  // by case and trial
  std::map<BoundKey, double> rates_;  // bytes or operations per second
  Progress progress_;
};

}  // namespace tandem::command
