// The sum over ranks that has the same bits for any number of them: parts are added up exactly, and the whole is rounded once.

#include "lib/core/require.h"
#include "lib/ops/reduce/exact_total.h"
#include "tandem/ranks.h"

namespace tandem::detail {
namespace {

template <class C>
void call_exact_sum(RanksScope& scope, ConstMemory in, void* value) {
  using Total = ExactTotal<typename C::Acc>;
  Context& ctx = scope.context();
  scope.refuse_device("portable bits");
  const RankParts<Total> parts(scope, [&] {
    require::array(ctx, Reduce::name, "in", in.data, in.size, sizeof(typename C::T));
    const CallScope call(ctx, "reduce/custom/exact_threads", Place::host);
    Total mine = exact_total<C>(static_cast<const typename C::T*>(in.data), in.size, ctx);
    mine.sum.carry();  // leaves room for as many others
    return std::optional<Total>(mine);
  });
  Total whole;
  parts.for_each(0, scope.size(), [&](const Total& part) {
    for (int k = 0; k < ExactSum<typename C::Acc>::kLimbs; ++k) whole.sum.limbs[k] += part.sum.limbs[k];
    whole.specials.seen |= part.specials.seen;
  });
  const typename C::Acc rounded = whole.sum.rounded(whole.specials);
  std::memcpy(value, &rounded, sizeof rounded);
}

}  // namespace

void exact_sum(RanksScope& scope, Type type, ConstMemory in, void* value) {
  for_case<Reduce>({type, OperatorId::plus}, [&]<class C>() {
    if constexpr (Reduce::has_exact_sum<C>) call_exact_sum<C>(scope, in, value);
  });
}

}  // namespace tandem::detail
