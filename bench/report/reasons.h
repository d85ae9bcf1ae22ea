#pragma once
// What `tandem trace` counted of a step, in a line: why it is as fast as it is.

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace tandem::command {

/// The totals of a step over its launches.
struct Counts {
  std::string implementation, input;  // without @simt; "f32 plus, n = 16K"
  std::int64_t launches = 0;
  double requests = 0, sectors = 0, used_sectors = 0;  // of global memory; those that its data would fill
  double shared_requests = 0, extra_passes = 0, ways = 0;
  double lanes = 0, blocks = 0, barriers = 0;  // lanes: summed over requests, of 1
  std::vector<std::string> advice;             // "line 31: …", each line once
  double most_waste = 0;                       // requests of the line of the first advice
  std::string device;                          // what a call was predicted for, if it was
  struct Least {
    std::int64_t n;
    double seconds;
    std::string limiter;
  };
  std::vector<Least> at_least;  // a call takes no less there

  /// "2 launches · 86 % of moved bytes used · up to 8-way bank conflicts · 93 % of lanes at work"
  std::string str() const;
};

class Reasons {
 public:
  /// An array of launches, as trace --json writes it. Throws where it is none.
  void add(const nlohmann::ordered_json& launches);
  /// Forgets the other steps.
  void keep(const std::vector<std::string>& implementations);
  /// None where the step was not traced.
  const Counts* of(const std::string& implementation) const;
  const std::vector<Counts>& all() const { return all_; }

 private:
  std::vector<Counts> all_;
};

}  // namespace tandem::command
