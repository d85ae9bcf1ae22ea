#pragma once
// An older run that `tandem compare --baseline` holds its rows against.

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tandem::command {

/// Calls `visit` with each row of a file that compare --json wrote. BadFile where it is not one, or `visit` throws.
void for_each_row(const std::string& file, const std::function<void(const nlohmann::ordered_json&)>& visit);

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
