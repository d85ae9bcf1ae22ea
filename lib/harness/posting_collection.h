#pragma once
// Collections of posting lists made from a seed: integer arithmetic alone, so that they are the same bytes on
// every machine and however many threads make them.

#include <cstdint>
#include <functional>

#include "tandem/postings.h"

namespace tandem {

struct Collection {
  std::int64_t lists;
  std::int64_t length;     // of a list, on average
  std::int64_t documents;  // ids are below
  std::int64_t queries;
  std::int64_t least_terms, most_terms;  // of a query
  /// The r-th longest list has about 1/r of the ids of the longest (Zipf); otherwise lengths are spread
  /// evenly from ⅔ to 4⁄3 of the average.
  bool zipf = true;
  std::uint64_t seed = 1;

  /// The lengths of the lists, in their order.
  TANDEM_API std::vector<std::uint64_t> lengths() const;
  /// Ids come in clusters, and half of them fall on one document in sixteen, which holds many words.
  /// `progress` is told of every list when it is done, by any thread. O(ids), on all threads. Throws
  /// InvalidArgument (an extent below 1, or more ids than documents).
  TANDEM_API Index index(const std::function<void(std::int64_t done)>& progress = {}) const;
  /// Lists drawn evenly.
  TANDEM_API Queries random_queries() const;

  /// As the collection of web pages that the inverted-index lab works on.
  TANDEM_API static Collection lab(std::uint64_t seed);
  /// As the lab's small one.
  TANDEM_API static Collection small(std::uint64_t seed);
};

}  // namespace tandem
