// Wrong:   searches in shared memory before all of the list is there.
// Caught:  threads run one after another, in an order that a schedule reverses; and as a race.

#include "custom_kernels/intersect/detail/marks.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;
constexpr int kStage = 512;

/// Block q takes query q through its lists, window by window of kStage ids.
template <class C>
__global__ void mark_query(typename C::Args a, std::uint8_t* marks) {
  using T = typename C::T;
  __shared__ Shared<T, kStage> stage;
  const std::int64_t q = blockIdx.x, terms = a.terms_of(q);
  if (terms == 0) return;
  const PostingList<T> shortest = a.list(q, 0);
  std::uint8_t* mine = marks + a.first_candidate[q];
  for (std::int64_t c = threadIdx.x; c < shortest.size; c += kThreads) mine[c] = 0;  // lists that held it
  for (std::int64_t t = 1; t < terms; ++t) {
    const PostingList<T> list = a.list(q, t);
    for (std::int64_t first = 0; first < list.size; first += kStage) {
      const std::int64_t size = min(std::int64_t{kStage}, list.size - first);
      for (std::int64_t i = threadIdx.x; i < size; i += kThreads) stage[i] = list.ids[first + i];
      for (std::int64_t c = threadIdx.x; c < shortest.size; c += kThreads) {
        const std::int64_t at = first_not_below(stage, std::int64_t{0}, size, shortest.ids[c]);
        mine[c] += at < size && stage[at] == shortest.ids[c];
      }
      __syncthreads();
    }
  }
  for (std::int64_t c = threadIdx.x; c < shortest.size; c += kThreads) mine[c] = mine[c] + 1 == terms;
}

template <class C>
void missing_barrier(const typename C::Args& a, Context& ctx) {
  auto* marks = ctx.scratch<std::uint8_t>(a.candidates);
  launch(ctx, a.queries, kThreads, 0, mark_query<C>, a, marks);
  answer_from_marks<C>(a, ctx, marks);
}

REGISTER(Intersect, missing_barrier, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
