// Idea:    threads take pieces of the array, wherever segments begin. A piece first says what it has of the segment that
//          goes on behind it, its carry; carries are joined in order; then each piece is scanned, from what lies before it.
//          Groups of a few pieces per thread do so one after the other, so that the cache still has them the second time.
// New:     against serial, all cores. A carry begins where the last segment of its piece does: where segments are short it
//          is a few elements, so that nearly all are read once, and only a piece inside of a long segment is read twice.
//          Keys are read twice; vector instructions mark where runs begin, in blocks of 256 keys.
// Expect:  the bandwidth of the memory for long segments, if cores are many; for short ones the serial loop's time, divided
//          by the cores. The result does not depend on the number of threads.
// Limits:  small inputs stay on one thread, because waking the others takes longer than the sums.
// Source:  Blelloch 1990, "Prefix sums and their applications", sections 1.3 and 1.5.

#include <algorithm>

#include "custom_kernels/segmented_reduce/detail/accumulators.h"
#include "custom_kernels/segmented_scan/detail/stretches.h"
#include "lib/core/workers.h"

namespace tandem {
namespace {

constexpr std::int64_t kPiece = 1 << 15;  // elements that a thread claims at once
constexpr std::int64_t kAlone = 2;        // up to this many pieces one thread does all

/// What elements [begin, end) have of the last segment among them: those from `from` on; and whether it begins there.
struct LastPart {
  std::int64_t from;
  bool begins;
};
LastPart last_part(const SegmentedScan::Layout& segments, std::int64_t begin, std::int64_t end) {
  std::int64_t start = 0;  // of that segment
  switch (segments.form) {
    case SegmentedScan::Form::equal:
      start = (end - 1) / segments.length * segments.length;
      break;
    case SegmentedScan::Form::offsets:
      start = *(std::lower_bound(segments.offsets + 1, segments.offsets + segments.count + 1, end) - 1);
      break;
    case SegmentedScan::Form::keys: {
      LastPart part;
      with_keys(segments.keys, [&](const auto& keys) {
        const RunsOf runs = runs_of(keys, begin, end);
        part = {runs.last, runs.count > 0};
      });
      return part;
    }
  }
  return {std::max(begin, start), start >= begin};
}

/// As scan_range where segments are runs of keys: their beginnings are marked.
template <class C>
void scan_runs(const typename C::Args& a, std::int64_t begin, std::int64_t end, typename C::Acc running) {
  const auto scan = [&](std::int64_t from, std::int64_t to) {
    running = scan_stretch<C>(a, from, to, running);
  };
  with_keys(a.segments.keys, [&](const auto& keys) {
    for_key_blocks(keys, begin, end, [&](std::int64_t first, int size, const Marks& begins, int count) {
      if (Marks::are_few(count, size)) {
        std::int64_t from = first;
        begins.for_each(size, [&](int i) {
          scan(from, first + i);
          from = first + i;
          running = a.init;
        });
        return scan(from, first + size);
      }
      for (int i = 0; i < size; ++i) {
        running = begins.is[i] ? a.init : running;
        scan(first + i, first + i + 1);
      }
    });
  });
}

/// before ∘ op over n elements: with many accumulators where their order does not matter.
template <class C>
typename C::Acc behind(typename C::Acc before, const typename C::T* in, std::int64_t n) {
  constexpr OperatorId op = C::id.op;
  if constexpr (op == OperatorId::plus || op == OperatorId::minimum || op == OperatorId::maximum) {
    return typename C::Op{}(before, reduce_run<C>(in, n));
  } else {
    for (std::int64_t i = 0; i < n; ++i) before = typename C::Op{}(before, C::load(in[i]));
    return before;
  }
}

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  using Acc = typename C::Acc;
  constexpr typename C::Op op;
  struct Carry {
    Acc value;  // of what a piece has of its last segment; then of what lies before the piece of the one that goes on
    bool begins;  // whether that segment begins in the piece
  };
  const Acc identity = C::Op::template identity<Acc>();
  const SegmentedScan::Layout& segments = a.segments;
  const std::int64_t first = segments.from(), pieces = (segments.to() - first + kPiece - 1) / kPiece;
  const auto begin = [&](std::int64_t p) { return first + p * kPiece; };
  const auto end = [&](std::int64_t p) { return std::min(first + (p + 1) * kPiece, segments.to()); };
  const auto scan = segments.form == SegmentedScan::Form::keys ? scan_runs<C> : scan_range<C>;
  if (pieces <= kAlone) return scan(a, first, segments.to(), identity);

  Acc before = identity;
  in_groups<Carry>(
      ctx, pieces,
      [&](std::int64_t p) -> Carry {
        const LastPart part = last_part(segments, begin(p), end(p));
        return {behind<C>(part.begins ? a.init : identity, a.in + part.from, end(p) - part.from),
                part.begins};
      },
      [&](Carry& carry) {
        const Acc own = carry.value;
        carry.value = before;
        before = carry.begins ? own : op(before, own);
      },
      [&](std::int64_t p, const Carry& carry) {
        if (carry.begins)
          scan(a, begin(p), end(p), carry.value);
        else
          scan_stretch<C>(a, begin(p), end(p), carry.value);
      });
}

REGISTER(SegmentedScan, threads, .note = "threads take pieces, wherever segments begin")

}  // namespace
}  // namespace tandem
