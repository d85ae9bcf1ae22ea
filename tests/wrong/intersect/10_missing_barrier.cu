// Wrong:   searches in shared memory before all of the list is there.
// Caught:  threads run one after another, in an order that a schedule reverses; and as a race.

#include "custom_kernels/intersect/detail/marks.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;
constexpr int kStage = 512;

/// Block q answers query q of two lists, the longer of at most kStage ids.
template <class C>
__global__ void mark_query(typename C::Args a, std::uint8_t* marks) {
  using T = typename C::T;
  __shared__ Shared<T, kStage> stage;
  const std::int64_t q = blockIdx.x;
  if (a.terms_of(q) < 2) return;
  const PostingList<T> shortest = a.list(q, 0), list = a.list(q, 1);
  for (int i = threadIdx.x; i < list.size; i += kThreads) stage[i] = list.ids[i];
  for (std::int64_t c = threadIdx.x; c < shortest.size; c += kThreads) {
    const std::int64_t at = first_not_below(stage, std::int64_t{0}, list.size, shortest.ids[c]);
    marks[a.first_candidate[q] + c] = at < list.size && stage[at] == shortest.ids[c];
  }
}

template <class C>
void missing_barrier(const typename C::Args& a, Context& ctx) {
  auto* marks = ctx.scratch<std::uint8_t>(a.candidates);
  launch(ctx, a.queries, kThreads, 0, mark_query<C>, a, marks);
  answer_from_marks<C>(a, ctx, marks);
}

std::string refuses(const Intersect::Shape& shape, CaseId) {
  const bool small = shape.pattern != Intersect::Pattern::zipf && shape.pattern != Intersect::Pattern::odd &&
                     shape.lists == 2 && shape.length * shape.skew <= kStage;
  return small ? "" : "takes two short lists";
}

REGISTER(Intersect, missing_barrier, .note = "wrong on purpose", .refuses = refuses)

}  // namespace
}  // namespace tandem
