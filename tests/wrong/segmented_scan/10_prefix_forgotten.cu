// Wrong:   a tile in which a segment begins asks nobody what lies before it.
// Caught:  segments that end in a tile in which another one begins.

#include "tests/wrong/segmented_scan/tile.cuh"

namespace tandem {
namespace {

struct AsksNobody {
  static constexpr bool totals_begin = true, asks_before = false;
};

template <class C>
void prefix_forgotten(const typename C::Args& a, Context& ctx) {
  scan_tiles_of_32<C, AsksNobody>("wrong/prefix_forgotten", a, ctx);
}

REGISTER(SegmentedScan, prefix_forgotten, .note = "wrong on purpose", .refuses = refuse_many)

}  // namespace
}  // namespace tandem
