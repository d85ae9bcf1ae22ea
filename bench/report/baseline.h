#pragma once
// An older run that `tandem compare --baseline` holds its rows against.

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tandem::command {

class Baseline {
 public:
  /// Reads what compare --json wrote; nothing where no file is named. Throws BadFile.
  explicit Baseline(const std::string& file);

  /// A line for each row that is slower than in the old file by more than both spreads and a tenth.
  /// InvalidArgument where the file holds none of the rows.
  std::vector<std::string> regressions(const nlohmann::ordered_json& rows) const;

 private:
  std::string name_;
  std::map<std::string, std::pair<double, double>> rows_;  // time in ns and spread, by key
};

}  // namespace tandem::command
