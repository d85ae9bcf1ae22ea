// Idea:    as many blocks as run at once, each with a share of neighbouring keys, find all digits in one launch: they
//          count their shares' digits, meet, and all of them read the same counts. Once the highest digit is known, a block
//          lists what may still be among the first k, if that is little, and from then on reads its list alone.
// New:     against radix_select, one launch for all digits, of eleven bits instead of eight; keys that cannot be among the
//          first k are not read again; counting ends as soon as all keys that agree with the digits found are needed. Shares
//          lie in the order of the blocks, so places follow from what earlier blocks counted.
// Expect:  two reads of the input, and what blocks wait for each other: once for each digit, and once more.
// Limits:  a digit that most keys share is counted with atomics on one word, and thins nothing out. Where much is
//          listed or nothing, a read of the share for each digit and one more.
// Source:  Zhang, Naruse, Li, Wang 2023, "Parallel top-K algorithms on GPU", section 3 (AIR top-k).

#include "custom_kernels/top_k/detail/last_sort.h"
#include "custom_kernels/top_k/detail/meeting.cuh"

namespace tandem {
namespace {

template <class Key, bool kFloating>
__global__ void __launch_bounds__(kShareThreads, kSharesAtOnce)
    select_blocks(Shares<Key> shares, KeyOrder<Key> order, std::int64_t k, Meeting* meeting,
                  OfShare* of_shares, Key* keys, std::int64_t* positions) {
  start_early();
  Share<Key, kFloating> share{shares, order};
  Known<Key> known = Known<Key>::nothing(k);
  OfShare own;
  const int levels = find_code<true>(share, known, meeting, own);
  take_first(share, known, own, levels, meeting, of_shares, keys, positions);
}

template <class C>
void one_launch(const typename C::Args& a, Context& ctx) {
  using Key = typename C::Key;
  constexpr auto kKernel = select_blocks<Key, TypeTraits<typename C::T>::floating>;
  static const int per_multiprocessor = blocks_per_multiprocessor(ctx, kShareThreads, 0, kKernel);
  const Shares<Key> shares = shares_of(a, std::int64_t{per_multiprocessor} * ctx.multiprocessors(), ctx);
  Key* keys = a.keys_out ? a.keys_out : ctx.scratch<Key>(a.k);
  launch_together(ctx, shares.blocks, kShareThreads, 0, kKernel, shares, a.order, a.k,
                  ctx.state<Meeting>("top_k/one_launch"), ctx.scratch<OfShare>(shares.blocks), keys,
                  a.positions_out);
  if (a.k > 1) run_sort<C>(keys, keys, a.positions_out, a.positions_out, a.k, a.order, ctx);
}

REGISTER(TopK, one_launch, .note = "all digits in one launch, from lists of what may be among the first k")

}  // namespace
}  // namespace tandem
