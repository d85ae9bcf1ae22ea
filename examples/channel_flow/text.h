#pragma once
// What the commands print, and how they read their arguments.

#include <string>
#include <vector>

#include "verify.h"

namespace channel {

/// Rows of cells in aligned columns; the first row is the heading. Numbers stand at the right.
void print_table(const std::vector<std::vector<std::string>>& rows);

/// 1.55 M, 812 k: a rate that people read.
std::string show_rate(double per_second);

/// One line on stderr, in place of the one before, where stderr is a terminal; nothing otherwise.
void show_progress(const std::string& line);

/// "auto", "cpu" or "gpu"; throws tandem::InvalidArgument, or tandem::Unavailable without a GPU.
tandem::Context context_on(const std::string& place);

/// Measures the tables `systems-per-second` and `tridiagonal-directions`; see main.cpp for the arguments.
struct BenchOptions {
  std::string table;       // empty: both
  std::int64_t nodes = 0;  // along each axis; 0: the published 448 on a GPU, fewer on a CPU
  std::string on = "all";  // or cpu, gpu
  int repetitions = 3;
  std::string json;
};
void bench(const BenchOptions& options);

}  // namespace channel
