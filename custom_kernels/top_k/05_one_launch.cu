// Idea:    as many blocks as run at once, each with a neighbouring part of the input, find all digits in one launch: they
//          count their parts' digits, meet, and all of them read the same counts. Once the highest digit is known, a block
//          lists what may still be among the first k, if that is little, and from then on reads its list alone.
// New:     against radix_select, one launch for all digits, of eleven bits instead of eight; keys that cannot be among the
//          first k are not read again; counting ends as soon as all keys that agree with the digits found are needed. Parts
//          lie in the order of the blocks, so places follow from what earlier blocks counted.
// Expect:  two reads of the input, and what blocks wait for each other: once for each digit, and once more.
// Limits:  a digit that most keys share is counted with atomics on one word, and thins nothing out. Where much is
//          listed or nothing, a read of the part for each digit and one more.
// Source:  Zhang, Naruse, Li, Wang 2023, "Parallel top-K algorithms on GPU", section 3 (AIR top-k).

#include "custom_kernels/top_k/detail/last_sort.h"
#include "custom_kernels/top_k/detail/meeting.cuh"

namespace tandem {
namespace {

template <class Key, bool kFloating>
__global__ void __launch_bounds__(kPartThreads, 2)
    select_blocks(Parts<Key> parts, KeyOrder<Key> order, std::int64_t k, Meeting* meeting, OfPart* of_parts,
                  Key* keys, std::int64_t* positions) {
  start_early();
  Part<Key, kFloating> part{parts, order};
  Known<Key> known = Known<Key>::nothing(k);
  OfPart own;
  const int levels = find_code(part, known, meeting, true, own);
  take_first(part, known, own, levels, meeting, of_parts, keys, positions);
}

template <class C>
void one_launch(const typename C::Args& a, Context& ctx) {
  using Key = typename C::Key;
  constexpr auto kKernel = select_blocks<Key, std::is_floating_point_v<typename C::T>>;
  static const int per_multiprocessor = blocks_per_multiprocessor(ctx, kPartThreads, 0, kKernel);
  const Parts<Key> parts = parts_of(a, std::int64_t{per_multiprocessor} * ctx.multiprocessors(), ctx);
  Key* keys = a.keys_out ? a.keys_out : ctx.scratch<Key>(a.k);
  launch_together(ctx, parts.blocks, kPartThreads, 0, kKernel, parts, a.order, a.k,
                  ctx.state<Meeting>("top_k/one_launch"), ctx.scratch<OfPart>(parts.blocks), keys,
                  a.positions_out);
  if (a.k > 1) run_sort<C>(keys, keys, a.positions_out, a.positions_out, a.k, a.order, ctx);
}

REGISTER(TopK, one_launch, .note = "all digits in one launch, from lists of what may be among the first k")

}  // namespace
}  // namespace tandem
