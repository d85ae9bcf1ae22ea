#pragma once
// Files that `tandem compare --json` wrote, and an older one that rows are held against.

#include <exception>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::command {

/// InvalidArgument where a file's words on its machine say that it has another form than this version reads. Files of
/// the first versions say nothing.
void require_schema(const nlohmann::ordered_json& machine);

/// Calls `visit` with each row of a file that compare --json wrote, and with what it says of the machine (null where
/// it says nothing). BadFile where it is not one, where it is of another schema, or `visit` throws.
void for_each_row(const std::string& file,
                  const std::function<void(const nlohmann::ordered_json& row,
                                           const nlohmann::ordered_json& machine)>& visit);

/// What an exception says, without the class that the JSON library names first.
std::string reason_of(const std::exception& error);

/// What computed a row: the GPU or the CPU that its file names.
std::string computed_by(const nlohmann::ordered_json& row, const nlohmann::ordered_json& machine);

class Baseline {
 public:
  /// Reads what compare --json wrote; nothing where no file is named. Rows are compared whatever machine computed
  /// them. Throws BadFile.
  explicit Baseline(const std::string& file) { add(file); }
  /// Of several files; rows are compared with those of their machine.
  static Baseline of_each_machine(const std::vector<std::string>& files);

  /// A row whose time differs by more than both spreads and a tenth.
  struct Change {
    const nlohmann::ordered_json* row;
    double was, is, noise;  // seconds; share of the old time
  };
  struct Changes {
    std::vector<Change> beyond_noise;
    std::size_t compared = 0,
                unsure = 0;  // unsure: within a noise so wide that they might have changed by a third
  };
  /// `machine`: what computed the rows (of_each_machine).
  Changes changes(const nlohmann::ordered_json& rows, std::string_view machine = {}) const;

  struct Verdict {
    std::vector<std::string> slower, faster;  // a line for each row
    std::string counts;                       // of all rows; nothing where no file is named
  };
  /// InvalidArgument where the file holds none of the rows.
  Verdict verdict(const nlohmann::ordered_json& rows) const;

 private:
  Baseline() = default;
  void add(const std::string& file);

  bool by_machine_ = false;
  std::string name_;
  std::map<std::string, std::pair<double, double>> rows_;  // time in ns and spread, by key
};

}  // namespace tandem::command
