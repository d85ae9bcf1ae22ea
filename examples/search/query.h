#pragma once
// One query: the documents that have all of its words.

#include <cstdint>
#include <string>

namespace search {

struct QueryOptions {
  std::string index, words, use, place = "host";
  std::int64_t limit = 10;
  bool explain = false;
};

/// Prints the documents on stdout, everything else on stderr. Returns the exit status: 0, or 1 where no
/// document is found.
int query(const QueryOptions& options);

}  // namespace search
