#pragma once
// Many queries by every implementation: the time of each, and queries per second.

#include <cstdint>
#include <string>

namespace search {

struct BenchOptions {
  std::string index, queries, implementations = "all", place = "host", json;
  std::int64_t random = 1000;  // queries to draw, where there is no file of them
  std::uint64_t seed = 1;
  int repetitions = 5;
};

/// Prints the tables. Returns the exit status: 0, or 1 where the implementations disagree.
int bench(const BenchOptions& options);

}  // namespace search
