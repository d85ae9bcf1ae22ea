#pragma once
// Rows of the executor are checked for races too, where that is worth it.

#include "lib/harness/operation.h"
#include "lib/simt/trace.h"

namespace tandem {

/// As check, and wrong also where a kernel on the executor has a race. Watched are sums, and operations
/// without an operator, up to 5,000 elements: the other operators take the same way through a kernel.
inline Verdict check_watched(const Implementation& implementation, int case_index, Problem& problem,
                             Context& ctx, std::int64_t n) {
  const CaseId id = operation(implementation.operation).cases[static_cast<std::size_t>(case_index)];
  if (implementation.place != Place::simt || n > 5000 ||
      (id.op != OperatorId::plus && id.op != OperatorId::none))
    return check(implementation, case_index, problem, ctx, n);
  Verdict verdict;
  const auto races = simt::races([&] { verdict = check(implementation, case_index, problem, ctx, n); });
  if (races.empty()) return verdict;
  return Verdict::wrong((verdict.correct ? "" : verdict.text + "; ") + races.front().str());
}

}  // namespace tandem
