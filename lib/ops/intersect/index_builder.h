#pragma once
// An index in the making: lists are appended piece by piece, and no id is written twice.

#include <cstdint>
#include <memory>

#include "tandem/postings.h"

namespace tandem {

class TANDEM_API IndexBuilder {
 public:
  /// Room for `most_ids` ids.
  explicit IndexBuilder(std::uint64_t most_ids);
  ~IndexBuilder();
  /// Memory for `count` more ids of the current list. Filled and checked by the caller, at once.
  std::uint32_t* append(std::uint64_t count);
  void end_list();
  Index finish();

 private:
  std::shared_ptr<Index::State> state_;
  std::uint64_t used_ = 0;
};

/// The position of the first id that is not above the one before it, or `count`. Vectorised.
TANDEM_API std::uint64_t first_not_ascending(const std::uint32_t* ids, std::uint64_t count);

/// The lists in the memory of a context.
struct IndexMemory {
  const std::uint64_t* starts;
  const std::uint32_t* ids;
};
IndexMemory memory(const Index& index, Context& ctx);
/// A unique id of every index of the program.
TANDEM_API std::uint64_t serial(const Index& index);

}  // namespace tandem
