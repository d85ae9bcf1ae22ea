#pragma once
// Rows of the executor are checked for races too, where that is worth it.

#include "lib/harness/operation.h"
#include "lib/simt/trace.h"

namespace tandem {

/// As check, and wrong also where a kernel on the executor has a race. Watched are all cases and classes of
/// data up to 9,000 elements, and of each the first two million accesses: what is longer takes the same way
/// through a kernel, more often.
inline Verdict check_watched(const Implementation& implementation, int case_index, Problem& problem,
                             Context& ctx, std::int64_t n) {
  constexpr std::uint64_t kMostAccesses = 2'000'000;
  if (implementation.place != Place::simt || n > 9000)
    return check(implementation, case_index, problem, ctx, n);
  Verdict verdict;
  const auto races =
      simt::races([&] { verdict = check(implementation, case_index, problem, ctx, n); }, kMostAccesses);
  if (races.empty()) return verdict;
  return Verdict::wrong((verdict.correct ? "" : verdict.text + "; ") + races.front().str());
}

}  // namespace tandem
