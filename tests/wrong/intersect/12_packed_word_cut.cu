// Wrong:   reads gaps of packed lists from one word, even where they straddle two.
// Caught:  any width of gaps that does not divide 32.

#include "custom_kernels/intersect/detail/marks.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;

__device__ std::uint32_t unpack(const PackedList& list, std::int64_t index) {
  const PackedList::Block block = list[index / PackedList::kBlock];
  std::uint32_t id = block.before;
  for (int i = 0; i <= index % PackedList::kBlock; ++i) {
    const int bit = i / 4 * block.width;
    id += (block.quads[bit / 32].words[i % 4] >> bit % 32 & block.mask()) + 1;
  }
  return id;
}

template <class C>
__global__ void mark_candidates(typename C::Args a, std::uint8_t* marks) {
  const std::int64_t c = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (c >= a.candidates) return;
  const std::int64_t q = query_of(a, c);
  const auto x = unpack(a.packed_list(q, 0), c - a.first_candidate[q]);
  bool found = true;
  for (std::int64_t t = 1; t < a.terms_of(q) && found; ++t) {
    const auto list = a.list(q, t);
    const std::int64_t at = first_not_below(list.ids, std::int64_t{0}, list.size, x);
    found = at < list.size && list.ids[at] == x;
  }
  marks[c] = found;
}

template <class C>
void packed_word_cut(const typename C::Args& a, Context& ctx) {
  auto* marks = ctx.scratch<std::uint8_t>(a.candidates);
  launch(ctx, ceil_div(a.candidates, kThreads), kThreads, 0, mark_candidates<C>, a, marks);
  answer_from_marks<C>(a, ctx, marks);
}

REGISTER(Intersect, packed_word_cut, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
