// Wrong:   a tile adds what lies before it to its total although a segment begins in it, so that later tiles get it, too.
// Caught:  tiles behind one in which a segment begins.

#include "tests/wrong/segmented_scan/tile.cuh"

namespace tandem {
namespace {

struct AddsAlways {
  static constexpr bool totals_begin = false, asks_before = true;
};

template <class C>
void beginning_forgotten(const typename C::Args& a, Context& ctx) {
  scan_tiles_of_32<C, AddsAlways>("wrong/beginning_forgotten", a, ctx);
}

REGISTER(SegmentedScan, beginning_forgotten, .note = "wrong on purpose", .refuses = refuse_many)

}  // namespace
}  // namespace tandem
