// Wrong:   forgets what a tile has of the run that goes on behind it.
// Caught:  runs across the edges of tiles.

#include "tests/wrong/reduce_by_key/chunks.cuh"

namespace tandem {
namespace {

struct Way {
  static constexpr bool carries = false, ends = false;
};

template <class C>
void carry_lost(const typename C::Args& a, Context& ctx) {
  reduce_in_chunks<C, Way>(a, ctx);
}

REGISTER(ReduceByKey, carry_lost, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
