#pragma once
// The last table of `tandem compare`: of each operation the largest shape of its first case, and who is the fastest there.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::command {

/// What stands above a table: "scan f32 plus n = 1M inclusive".
std::string table_title(std::string_view operation, std::string_view case_name, std::string_view extents,
                        std::string_view variant);

/// A variant that also says how times were taken, where that is not hot: "inclusive (graph)".
std::string of_method(std::string_view variant, std::string_view method);

class Summary {
 public:
  /// A row as compare --json writes it.
  void add(const nlohmann::ordered_json& row);
  /// All rows that an earlier run wrote to a file. Throws BadFile.
  void add_file(const std::string& file);
  /// Is there a row of this implementation in the table of this title?
  bool holds(std::string_view title, std::string_view implementation) const;
  /// A row for each operation, case and place, and what stands above its cells.
  using Line = std::vector<std::string>;
  std::vector<Line> lines() const;
  inline static const Line kHeadings{"fastest", "place", "custom",   "time",
                                     "vendor",  "time",  "x vendor", "of bound"};
  /// A row for each operation; nothing where no row has a time.
  void print() const;

 private:
  struct Entry {
    std::string operation, what, title;  // what: the title without its shape
    std::string implementation, path, place;
    std::optional<double> seconds, vs_vendor, bound_fraction;
    bool rival;  // a whole call in full precision
    bool bounded;
  };
  /// Of each case and place a row with a time of its last table.
  std::vector<const Entry*> largest() const;
  Line line(const Entry& e) const;
  const Entry* fastest(const Entry& like, std::string_view path) const;

  std::vector<Entry> entries_;
};

}  // namespace tandem::command
