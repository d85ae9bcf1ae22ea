// Idea:    a sample of a few thousand keys tells a limit that a little more than k of all keys are up to. Blocks list the
//          keys of their shares that are, in one read, and find the k-th code in these lists.
// New:     against one_launch, no read of the input that only counts. The result does not depend on the sample: where fewer
//          than k keys are up to the limit, or a list has no room, shares are read as before.
// Expect:  a read of the input, what blocks wait for each other (once for the sample, once for the lists, and as often as
//          in one_launch), and a sort of k.
// Limits:  fewer than n / 16 keys are wanted; keys most of which are equal to the k-th have no limit that thins them out.
// Source:  Floyd, Rivest 1975, "Expected time bounds for selection"; Zhang, Naruse, Li, Wang 2023, "Parallel top-K
//          algorithms on GPU".

#include "custom_kernels/top_k/detail/last_sort.h"
#include "custom_kernels/top_k/detail/sample.cuh"

namespace tandem {
namespace {

template <class Key, bool kFloating>
__global__ void __launch_bounds__(kShareThreads, kSharesAtOnce)
    select_blocks(Shares<Key> shares, KeyOrder<Key> order, std::int64_t k, Sample sample, Key* samples,
                  Meeting* meeting, OfShare* of_shares, Key* keys, std::int64_t* positions) {
  start_early();
  Share<Key, kFloating> share{shares, order};
  const Key limit = sampled_limit(share, sample, samples, meeting->barrier);
  const std::int64_t candidates = share.filter(Known<Key>::up_to(limit));
  if (threadIdx.x == 0) atomicAdd(&meeting->candidates, static_cast<unsigned long long>(candidates));
  meeting->barrier.wait();
  if (std::int64_t(meeting->candidates) < k) share.listed = -1;
  Known<Key> known = Known<Key>::nothing(k);
  OfShare own;
  const int levels = find_code<false>(share, known, meeting, own);
  take_first(share, known, own, levels, meeting, of_shares, keys, positions);
}

template <class C>
void sampled(const typename C::Args& a, Context& ctx) {
  using Key = typename C::Key;
  constexpr auto kKernel = select_blocks<Key, TypeTraits<typename C::T>::floating>;
  static const int per_multiprocessor = blocks_per_multiprocessor(ctx, kShareThreads, 0, kKernel);
  const Shares<Key> shares = shares_of(a, std::int64_t{per_multiprocessor} * ctx.multiprocessors(), ctx);
  const Sample sample = Sample::of(a.n, a.k);
  Key* keys = a.keys_out ? a.keys_out : ctx.scratch<Key>(a.k);
  launch_together(ctx, shares.blocks, kShareThreads, 0, kKernel, shares, a.order, a.k, sample,
                  ctx.scratch<Key>(sample.size), ctx.state<Meeting>("top_k/sampled"),
                  ctx.scratch<OfShare>(shares.blocks), keys, a.positions_out);
  if (a.k > 1) run_sort<C>(keys, keys, a.positions_out, a.positions_out, a.k, a.order, ctx);
}

REGISTER(
    TopK, sampled, .note = "one read: lists of what is up to a limit that a sample tells",
    .suits = [](const TopK::Shape& shape) { return 16 * shape.k <= shape.n; })

}  // namespace
}  // namespace tandem
