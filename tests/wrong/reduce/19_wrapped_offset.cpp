// Wrong:   counts bytes in 32 bits, so that an array of more than 4 GiB starts again.
// Caught:  only past 2^32 bytes: by the coverage huge.

#include <cstring>

#include "lib/ops/reduce/contract.h"

namespace tandem {
namespace {

template <class C>
void wrapped_offset(const typename C::Args& a, Context&) {
  auto total = C::Op::template identity<typename C::Acc>();
  for (std::int64_t i = 0; i < a.n; ++i) {
    const auto offset = static_cast<std::uint32_t>(i * static_cast<std::int64_t>(sizeof(typename C::T)));
    typename C::T x;
    std::memcpy(&x, reinterpret_cast<const std::byte*>(a.in) + offset, sizeof x);
    total = typename C::Op{}(total, C::load(x));
  }
  *a.out = total;
}

REGISTER(Reduce, wrapped_offset, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
