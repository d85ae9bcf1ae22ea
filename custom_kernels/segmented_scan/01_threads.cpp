// Idea:    threads take pieces of the array, wherever segments begin. A piece first says what it has of the segment that
//          goes on behind it, its carry; carries are joined in order; then each piece is scanned, from what lies before it.
// New:     against serial, all cores. A carry begins where the last segment of its piece does: where segments are short it
//          is a few elements, so that nearly all are read once, and only a piece inside of a long segment is read twice.
// Expect:  the bandwidth of the memory for long segments, if cores are many; for short ones the serial loop's time, divided
//          by the cores. The result does not depend on the number of threads.
// Limits:  small inputs stay on one thread, because waking the others takes longer than the sums.
// Source:  Blelloch 1990, "Prefix sums and their applications", sections 1.3 and 1.5.

#include <algorithm>

#include "custom_kernels/segmented_scan/detail/stretches.h"
#include "lib/core/workers.h"

namespace tandem {
namespace {

constexpr std::int64_t kPiece = 1 << 15;  // elements that a thread claims at once
constexpr std::int64_t kAlone = 2;        // up to this many pieces one thread does all

/// Where the last segment that has elements in [begin, end) begins, or `begin` where it begins before.
std::int64_t last_begin(const SegmentedScan::Layout& segments, std::int64_t begin, std::int64_t end) {
  if (segments.form == SegmentedScan::Form::equal)
    return std::max(begin, (end - 1) / segments.length * segments.length);
  if (segments.form == SegmentedScan::Form::offsets)
    return std::max(
        begin, *(std::lower_bound(segments.offsets + 1, segments.offsets + segments.count + 1, end) - 1));
  std::int64_t from = end - 1;
  with_keys(segments.keys, [&](const auto& keys) {
    while (from > begin && keys.same(keys.data[from - 1], keys.data[from])) --from;
  });
  return from;
}

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  using Acc = typename C::Acc;
  constexpr typename C::Op op;
  struct Carry {
    Acc value;    // of what a piece has of its last segment; then of that segment up to the end of the piece
    bool begins;  // whether that segment begins in the piece
  };
  const Acc identity = C::Op::template identity<Acc>();
  const SegmentedScan::Layout& segments = a.segments;
  const std::int64_t first = segments.from(), pieces = (segments.to() - first + kPiece - 1) / kPiece;
  const auto begin = [&](std::int64_t p) { return first + p * kPiece; };
  const auto end = [&](std::int64_t p) { return std::min(first + (p + 1) * kPiece, segments.to()); };
  auto* const carries = ctx.scratch<Carry>(pieces);
  const auto each_piece = [&](const auto& work) {
    parallel_for(pieces, {.most = 8, .alone = kAlone}, [&](std::int64_t p, std::int64_t last, int) {
      for (; p < last; ++p) work(p);
    });
  };
  if (pieces > kAlone) {
    each_piece([&](std::int64_t p) {
      Carry carry{identity, false};
      for_stretches(segments, last_begin(segments, begin(p), end(p)), end(p),
                    [&](std::int64_t from, std::int64_t to, bool begins) {
                      if (begins) carry.value = a.init;
                      for (std::int64_t i = from; i < to; ++i)
                        carry.value = op(carry.value, C::load(a.in[i]));
                      carry.begins = begins;
                    });
      carries[p] = carry;
    });
    for (std::int64_t p = 1; p < pieces; ++p) {
      if (!carries[p].begins) carries[p].value = op(carries[p - 1].value, carries[p].value);
    }
  }
  if (pieces <= kAlone) return scan_range<C>(a, first, segments.to(), identity);
  each_piece(
      [&](std::int64_t p) { scan_range<C>(a, begin(p), end(p), p > 0 ? carries[p - 1].value : identity); });
}

REGISTER(SegmentedScan, threads, .note = "threads take pieces, wherever segments begin")

}  // namespace
}  // namespace tandem
