#include "bench/report/data_table.h"

#include "bench/terminal.h"

namespace tandem::command {

void DataTable::print() const {
  if (rows.empty() && note.empty()) return;
  if (!title.empty()) print_heading(title);
  Table table(head);
  table.may_leave_out({"place", "error", "spread", "of bound"});
  for (const auto& row : rows) table.add(row);
  table.print();
  if (!note.empty()) print_note(note);
}

}  // namespace tandem::command
