// Wrong:   where n is a multiple of 16,384 the last element is not written.
// Caught:  16,384 is a size of the quick coverage.

#include "lib/ops/scan/contract.h"

namespace tandem {
namespace {

template <class C>
void whole_tiles(const typename C::Args& a, Context&) {
  auto running = a.init;
  for (std::int64_t i = 0; i < a.n - (a.n % 16384 == 0); ++i) {
    const auto next = typename C::Op{}(running, C::load(a.in[i]));
    a.out[i] = C::result(a.exclusive ? running : next);
    running = next;
  }
}

REGISTER(Scan, whole_tiles, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
