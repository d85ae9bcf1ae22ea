#pragma once
// A table that a terminal, Markdown or a page can show.

#include <string>
#include <vector>

namespace tandem::command {

struct DataTable {
  std::string title, note;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;

  /// On stdout, in the form that terminal::table_form says. Without rows its note alone.
  void print() const;
};

}  // namespace tandem::command
