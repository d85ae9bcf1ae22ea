// Wrong:   begins a run at the edge of each tile.
// Caught:  runs across the edges of tiles.

#include "tests/wrong/reduce_by_key/chunks.cuh"

namespace tandem {
namespace {

struct Way {
  static constexpr bool carries = true, ends = true;
};

template <class C>
void cut_at_edges(const typename C::Args& a, Context& ctx) {
  reduce_in_chunks<C, Way>(a, ctx);
}

REGISTER(ReduceByKey, cut_at_edges, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
