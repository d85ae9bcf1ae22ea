#pragma once
// Rows of the executor are checked for races too, where that is worth it.

#include "lib/harness/operation.h"
#include "lib/simt/trace.h"

namespace tandem {

/// Accesses of a trial that are watched for races: what is longer takes the same way through a kernel, more often.
/// Most of a check's time goes there, so a brief one, whose trials others repeat, watches fewer.
inline constexpr std::uint64_t kWatched = 2'000'000, kWatchedBriefly = 300'000;

/// As check, and wrong also where a kernel on the executor has a race. Watched are all cases and classes of
/// data up to 9,000 elements.
template <std::uint64_t kMostAccesses = kWatched>
Verdict check_watched(const Implementation& implementation, int case_index, Problem& problem, Context& ctx,
                      std::int64_t n) {
  if (implementation.place != Place::simt || n > 9000)
    return check(implementation, case_index, problem, ctx, n);
  Verdict verdict;
  const auto races =
      simt::races([&] { verdict = check(implementation, case_index, problem, ctx, n); }, kMostAccesses);
  if (races.empty()) return verdict;
  return Verdict::wrong((verdict.correct ? "" : verdict.text + "; ") + races.front().str());
}

}  // namespace tandem
