// Wrong:   results of bfloat16 are cut off where they should be rounded.
// Caught:  whole numbers above 256 need more than its 8 bits, and every right path rounds them the same way.

#include "lib/ops/scan/contract.h"

namespace tandem {
namespace {

template <class C>
typename C::T cut(typename C::Acc x) {
  if constexpr (std::is_same_v<typename C::T, bfloat16>) {
    std::uint32_t word;
    std::memcpy(&word, &x, sizeof word);
    word &= 0xffff0000u;
    std::memcpy(&x, &word, sizeof word);
  }
  return C::result(x);
}

template <class C>
void cut_results(const typename C::Args& a, Context&) {
  auto running = a.init;
  for (std::int64_t i = 0; i < a.n; ++i) {
    const auto next = typename C::Op{}(running, C::load(a.in[i]));
    a.out[i] = cut<C>(a.exclusive ? running : next);
    running = next;
  }
}

REGISTER(Scan, cut_results, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
