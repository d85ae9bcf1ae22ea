#pragma once
// tandem check, compare and audit where mpirun started several of them: calls over ranks (docs/ranks.md). All ranks do the
// same, and rank 0 prints.

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "common/program.h"

namespace tandem::command {

using terminal::launched_ranks;

/// What the three commands have in common of their options.
struct RanksOptions {
  std::string operation;                 // of check also a path; empty: all
  std::string place = {};                // host, or device: a GPU for each rank; empty: the host
  std::vector<std::string> shapes = {};  // 1000x20; of compare
  std::vector<std::string> types = {};   // of compare
  std::uint64_t seed = 1;
  int repetitions = 11;  // of compare and audit
  int draws = 10;        // random shapes of audit
  std::string json;      // a file; of check "-": print it
  bool csv = false;
};

/// InvalidArgument for the first option that was given, which calls over ranks do not know.
void refuse_over_ranks(std::initializer_list<std::pair<bool, std::string>> options);

/// Each returns whether all results of all ranks were right.
bool check_over_ranks(const RanksOptions& options);
bool compare_over_ranks(const RanksOptions& options);
bool audit_over_ranks(const RanksOptions& options);

}  // namespace tandem::command
