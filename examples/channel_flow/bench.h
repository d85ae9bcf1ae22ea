#pragma once
// The published tables, measured here.

#include <cstdint>
#include <string>

namespace channel {

struct BenchOptions {
  std::string table;       // empty: both
  std::int64_t nodes = 0;  // along each axis; 0: the published 448 on a GPU, fewer on a CPU
  std::string on = "all";  // or cpu, gpu
  int repetitions = 3;
  std::string json;
};
/// Measures the tables `systems-per-second` and `tridiagonal-directions`, prints them, writes `json`.
void bench(const BenchOptions& options);

}  // namespace channel
