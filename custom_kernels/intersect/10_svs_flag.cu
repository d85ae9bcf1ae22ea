// Idea:    the whole device as one wide vector, and the loops on the CPU: a launch compares one candidate with the
//          next 1,024 ids of a list and leaves what it found in a flag, which is copied back before the next launch.
// New:     against svs_coarse, threads share a comparison, not the candidates, and nothing is searched: the ids
//          of a list pass by once for all candidates of a query.
// Expect:  a launch, a wait and a copy of four bytes for each comparison, whatever it compares: microseconds for a
//          candidate where a thread of svs_coarse takes nanoseconds.
// Limits:  all multiprocessors but one are idle, and that one most of the time. More than 4,096 candidates in a call
//          are refused.
// Source:  the inverted-index lab's fine form of small versus small; its flag may lie in managed memory
//          (tandem reproduce managed-memory).

#include <algorithm>
#include <string>
#include <vector>

#include "custom_kernels/intersect/detail/marks.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;
constexpr int kCompared = 1024;  // ids in a launch
constexpr std::int64_t kMostCandidates = 4096;
enum Flag : int { kAllBelow, kFound, kPassed };

/// Kernel of one block: the c-th candidate of query q against ids of the query's t-th list, from `at` on.
template <class C>
__global__ void compare(typename C::Args a, std::int64_t q, std::int64_t c, std::int64_t t, std::int64_t at,
                        int* flag) {
  const auto x = a.list(q, 0).ids[c];
  const auto list = a.list(q, t);
  if (threadIdx.x == 0) *flag = kAllBelow;
  __syncthreads();
  for (std::int64_t i = at + threadIdx.x; i < min(at + kCompared, list.size); i += kThreads) {
    const bool first_not_below = list.ids[i] >= x && (i == at || list.ids[i - 1] < x);
    if (first_not_below) *flag = list.ids[i] == x ? kFound : kPassed;  // of one thread at the most
  }
}

template <class C>
void svs_flag(const typename C::Args& a, Context& ctx) {
  const PlanView& plan = a.host;
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(a.candidates), 1);
  auto* const flag = ctx.scratch<int>(1);
  for (std::int64_t q = 0; q < a.queries; ++q) {
    for (std::int64_t t = 1; t < std::int64_t(plan.first_term[q + 1] - plan.first_term[q]); ++t) {
      const std::uint64_t* starts = a.host_starts + plan.terms[plan.first_term[q] + std::uint64_t(t)];
      const auto size = std::int64_t(starts[1] - starts[0]);
      std::int64_t at = 0;  // what lies before is below the candidate, and below the next one, too
      for (std::uint64_t c = plan.first_candidate[q]; c < plan.first_candidate[q + 1]; ++c) {
        if (!marks[c]) continue;
        int found = kAllBelow;
        while (at < size) {
          launch(ctx, 1, kThreads, 0, compare<C>, a, q, std::int64_t(c - plan.first_candidate[q]), t, at,
                 flag);
          ctx.copy(&found, flag, sizeof found);
          ctx.synchronize();
          if (found != kAllBelow) break;
          at += kCompared;
        }
        marks[c] = found == kFound;
      }
    }
  }
  auto* const marks_there = ctx.scratch<std::uint8_t>(a.candidates);
  ctx.copy(marks_there, marks.data(), marks.size());
  ctx.synchronize();  // marks ends here
  answer_from_marks<C>(a, ctx, marks_there);
}

std::string too_many(const Intersect::Shape& shape, CaseId id) {
  if (shape.candidates > kMostCandidates)
    return std::to_string(shape.candidates) + " candidates; a launch and a copy for each: at most " +
           std::to_string(kMostCandidates);
  return Intersect::refuses(shape, id);
}

REGISTER(Intersect, svs_flag, .note = "a launch for every 1,024 ids compared, and a flag copied back",
         .refuses = too_many, .synchronises = true)

}  // namespace
}  // namespace tandem
