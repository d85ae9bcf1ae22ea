#pragma once
// Column numbers of a test's matrix, of either type that calls take.

#include <optional>

#include "lib/harness/problem.h"
#include "tandem/sparse.h"

namespace tandem {

constexpr Type kColumnTypes[] = {Type::i32, Type::i64};
/// The axis of trials that has them.
inline std::vector<std::string> column_type_names() { return {"32 bits", "64 bits"}; }
/// In the text of a trial.
inline const char* column_type_text(Type type) { return type == Type::i64 ? " 64-bit columns" : ""; }

/// A read-only operand.
class ColumnInput {
 public:
  ColumnInput(Operands& all, const std::vector<std::int32_t>& columns, Type type, int offset)
      : size_(static_cast<std::int64_t>(columns.size())) {
    if (type == Type::i64)
      of_64_bits_.emplace(all, std::vector<std::int64_t>(columns.begin(), columns.end()), offset % 8, kName);
    else
      of_32_bits_.emplace(all, columns, offset, kName);
  }

  std::int64_t size() const { return size_; }
  IndexNumbers data() {
    return of_64_bits_ ? IndexNumbers(of_64_bits_->data()) : IndexNumbers(of_32_bits_->data());
  }

 private:
  static constexpr const char* kName = "columns";
  std::int64_t size_;
  std::optional<Input<std::int32_t>> of_32_bits_;
  std::optional<Input<std::int64_t>> of_64_bits_;
};

}  // namespace tandem
