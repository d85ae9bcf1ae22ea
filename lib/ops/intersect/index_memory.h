#pragma once
// What the library knows of an index beyond tandem/postings.h.

#include <cstdint>

#include "tandem/postings.h"

namespace tandem {

/// The position of the first id that is not above the one before it, or `count`. Vectorised.
TANDEM_API std::uint64_t first_not_ascending(const std::uint32_t* ids, std::uint64_t count);

/// The lists in the memory of a context.
struct IndexMemory {
  const std::uint64_t* starts;
  const std::uint32_t* ids;
};
TANDEM_API IndexMemory memory(const Index& index, Context& ctx);
/// A unique id of every index of the program.
TANDEM_API std::uint64_t serial(const Index& index);

}  // namespace tandem
