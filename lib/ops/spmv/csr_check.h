#pragma once
// What makes three arrays a matrix in rows.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>

#include "tandem/error.h"

namespace tandem::detail {

/// Throws InvalidArgument for the first of `part`, which begins with number `first`, that is not from 0 to limit − 1.
template <class Index>
void require_numbers(const char* what, const char* kind, std::int64_t first, std::span<const Index> part,
                     std::int64_t limit) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (part[i] < 0 || part[i] >= limit) {
      throw InvalidArgument(fmt::format("{}: {} number {} is {}; it must be from 0 to {}", what, kind,
                                        first + static_cast<std::int64_t>(i), part[i], limit - 1));
    }
  }
}

/// Looks at offsets and column numbers, a part at a time; each throws InvalidArgument with the number and the value.
class CsrCheck {
 public:
  CsrCheck(const char* what, std::int64_t rows, std::int64_t cols, std::int64_t elements)
      : what_(what), rows_(rows), cols_(cols), elements_(elements) {}

  /// The part that begins with offset `first`; parts come in their order, and the last one ends with offset `rows`.
  void offsets(std::int64_t first, std::span<const std::int64_t> part) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      const std::int64_t number = first + static_cast<std::int64_t>(i), offset = part[i];
      if (number == 0 && offset != 0)
        throw InvalidArgument(fmt::format("{}: offset 0 is {}; it must be 0", what_, offset));
      if (offset < last_) {
        throw InvalidArgument(fmt::format("{}: offset {} is {}; it must be at least {}, which is offset {}",
                                          what_, number, offset, last_, number - 1));
      }
      longest_ = std::max(longest_, offset - last_);
      last_ = offset;
      if (number == rows_ && offset != elements_) {
        throw InvalidArgument(fmt::format("{}: offset {} is {}; it must be {}, the size of 'columns'", what_,
                                          number, offset, elements_));
      }
    }
  }
  /// The part that begins with column number `first`.
  void columns(std::int64_t first, std::span<const std::int32_t> part) const {
    require_numbers(what_, "column", first, part, cols_);
  }
  void columns(std::int64_t first, std::span<const std::int64_t> part) const {
    require_numbers(what_, "column", first, part, cols_);
  }
  /// Of the longest row.
  std::int64_t longest() const { return longest_; }

 private:
  const char* const what_;
  const std::int64_t rows_, cols_, elements_;
  std::int64_t last_ = 0, longest_ = 0;
};

}  // namespace tandem::detail
