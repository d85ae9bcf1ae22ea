#pragma once
// What `tandem report` reads: files that compare --json, compare --tuning --json and trace --json wrote.

#include <cstdint>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/report/reasons.h"
#include "bench/terminal.h"

namespace tandem::command {

/// A row of compare that has a time.
struct Result {
  std::string implementation, path, unit;
  double seconds, spread, rate,
      intensity;  // spread: share of the median; rate: in `unit`, 0 of times that have none; operations per byte
  std::optional<double> error, fraction;  // error ÷ what is allowed; share of the bound
  std::string apart;                      // why it does not compete; empty for a whole call in full precision
  std::vector<double> samples;            // seconds; none in older files

  std::size_t row = 0;  // of Machine::rows

  bool competes() const { return apart.empty(); }
  bool custom() const { return path == "custom"; }
  /// "lookback" of scan/custom/lookback.
  std::string step() const { return implementation.substr(implementation.rfind('/') + 1); }
};

/// Results that differ in implementation and shape alone.
class Series {
 public:
  struct Size {
    std::int64_t n;
    std::string shape;
    auto operator<=>(const Size&) const = default;
    /// "64K", "4K×1K"
    std::string str() const;
    /// Whether n says it all: an array, or extents that are all n.
    bool is_regular() const;
  };

  std::string operation, type, op, variant, method;

  /// Replaces what another run says of the same, and takes over its Result::row, which is returned.
  std::size_t add(const Size& size, Result result);

  /// "f32 plus inclusive (graph)"
  std::string case_name() const;
  /// "scan f32 plus inclusive (graph)"
  std::string title() const;
  const std::vector<Size>& sizes() const { return sizes_; }
  /// Whether sizes are numbers of one kind, so that curves over them mean something.
  bool over_n() const;
  /// How a size is written.
  std::string label(const Size& size) const { return over_n() ? show_size(size.n) : size.str(); }
  /// Of ladder and libraries, in the order of the files.
  const std::vector<std::string>& implementations() const { return implementations_; }
  /// Null where it has no time.
  const Result* at(const std::string& implementation, const Size& size) const;
  /// Of those that compete on a path; null where there is none.
  const Result* fastest(std::string_view path, const Size& size) const;
  /// Time of the fastest vendor row ÷ that of the fastest custom row.
  std::optional<double> against_vendor(const Size& size) const;
  /// The same step in the ladder before it that competes and has a time.
  const Result* before(const Result& result, const Size& size) const;

 private:
  std::vector<Size> sizes_;  // sorted
  std::vector<std::string> implementations_;
  std::map<std::pair<std::string, Size>, Result> results_;
};

/// A GPU or a CPU, and what was measured there.
struct Machine {
  std::string name;
  bool device;
  std::vector<nlohmann::ordered_json> runs;  // the files' own words on when and how
  std::deque<Series> series;
  nlohmann::ordered_json rows;     // those with a time, as they were read
  std::vector<std::string> wrong;  // implementations

  /// The series that stands for each operation where there is room for few: f32, plus, the first variant, hot.
  std::vector<const Series*> main_series() const;
  /// The same case by another method, or null.
  const Series* by(const Series& like, std::string_view method) const;
  /// The highest bound of a name that was measured, in GB/s or GFLOP/s.
  std::optional<double> bound(const std::string& group, const std::string& name) const;
};

/// A file of compare --tuning.
struct Tuning {
  std::string file, operation, name;
  nlohmann::ordered_json content;
};

struct Results {
  std::vector<Machine> machines;  // apart
  std::vector<Tuning> tunings;
  Reasons reasons;
};

/// Of billions per second, in the unit that keeps the number short: "4.46 TB/s".
std::string show_billions(double billions, const char* unit);

/// The files that a word of the command line names: a folder stands for its .json files, in order of their names.
std::vector<std::string> files_of(const std::string& path);

/// BadFile names the file, and why it is none that report reads.
Results read_results(const std::vector<std::string>& files);

}  // namespace tandem::command
