#pragma once
// How a thread of the CPU goes from segment to segment.

#include <algorithm>
#include <cstdint>

#include "custom_kernels/select/detail/marks.h"
#include "lib/core/target_clones.h"
#include "lib/core/workers.h"
#include "lib/ops/segmented_scan/contract.h"

namespace tandem {

/// Behind the run of equal keys that goes on at `from`, up to `end`: of a long run many keys are compared at once.
template <class Word>
std::int64_t run_end(const Keys<Word>& keys, std::int64_t from, std::int64_t end) {
  constexpr std::int64_t kOneByOne = 8, kAtOnce = 32;
  std::int64_t to = from + 1;
  const auto advance = [&](std::int64_t limit) {
    while (to < limit && keys.same(keys.data[to - 1], keys.data[to])) ++to;
    return to == limit;
  };
  if (!advance(std::min(end, to + kOneByOne))) return to;
  for (; to + kAtOnce <= end; to += kAtOnce) {
    const Word* const key = keys.data + to;
    int same = 0;
    for (int i = 0; i < kAtOnce; ++i) same += keys.same(key[i - 1], key[i]);
    if (same < kAtOnce) break;
  }
  advance(end);
  return to;
}

/// Calls f(from, to, begins) for the parts of runs of equal keys that lie in elements [begin, end), in their order; `begins`
/// says whether the run begins there.
template <class Word, class F>
void for_runs(const Keys<Word>& keys, std::int64_t begin, std::int64_t end, F&& f) {
  for (std::int64_t from = begin; from < end;) {
    const std::int64_t to = run_end(keys, from, end);
    f(from, to, keys.begins(from));
    from = to;
  }
}

/// Marks at which of `size` keys from `first` on a run begins, and returns how many do.
template <class Word>
[[gnu::flatten]] TANDEM_CLONES int mark_begins(const Keys<Word>& keys, std::int64_t first, int size,
                                               Marks& marks) {
  const auto mark = [&](const Keys<Word> k) {
    const Word* const key = k.data + first;
    return marks.set(first == 0, size, [=](int i) { return !k.same(key[i - 1], key[i]); });
  };
  return keys.floating ? mark({keys.data, true}) : mark({keys.data, false});
}

/// Calls f(first, size, marks, count) for the blocks of keys [begin, end): where runs begin in each, and how many.
template <class Word, class F>
void for_key_blocks(const Keys<Word>& keys, std::int64_t begin, std::int64_t end, F&& f) {
  Marks begins;
  for (std::int64_t first = begin; first < end; first += Marks::kSize) {
    const int size = static_cast<int>(std::min<std::int64_t>(end - first, Marks::kSize));
    const int count = mark_begins(keys, first, size, begins);
    f(first, size, begins, count);
  }
}

/// Runs that begin in a range of keys.
struct RunsOf {
  std::int64_t count;
  std::int64_t last;  // where the last one begins; the beginning of the range where none does
};
template <class Word>
RunsOf runs_of(const Keys<Word>& keys, std::int64_t begin, std::int64_t end) {
  RunsOf runs{0, begin};
  for_key_blocks(keys, begin, end, [&](std::int64_t first, int size, const Marks& begins, int count) {
    if (count == 0) return;
    runs.count += count;
    for (runs.last = first + size - 1; !begins.is[runs.last - first];) --runs.last;
  });
  return runs;
}

/// Threads go over the pieces of an array twice: summary(p) says of each what others must know, join(summary) then puts in what
/// a piece must know of those before it, one after the other, and write(p, summary) does the rest. Groups of a few pieces per
/// thread do so in turn, so that the cache still has them the second time.
template <class Summary, class SummaryOf, class Join, class Write>
void in_groups(Context& ctx, std::int64_t pieces, const SummaryOf& summary, const Join& join,
               const Write& write) {
  const std::int64_t group = std::max(8, 4 * most_workers());
  auto* const summaries = ctx.scratch<Summary>(group);
  for (std::int64_t first = 0; first < pieces; first += group) {
    const std::int64_t count = std::min(group, pieces - first);
    const auto each = [&](const auto& work) {
      parallel_for(count, {}, [&](std::int64_t i, std::int64_t end, int) {
        for (; i < end; ++i) work(first + i, summaries[i]);
      });
    };
    each([&](std::int64_t p, Summary& of_piece) { of_piece = summary(p); });
    std::for_each(summaries, summaries + count, join);
    each([&](std::int64_t p, const Summary& of_piece) { write(p, of_piece); });
  }
}

/// Calls f(from, to, begins) for the parts of segments that lie in elements [begin, end), in their order; `begins` says
/// whether a segment begins there. Elements outside all segments, and segments without elements, have no part.
template <class F>
void for_stretches(const SegmentedScan::Layout& segments, std::int64_t begin, std::int64_t end, F&& f) {
  if (segments.form == SegmentedScan::Form::keys) {
    with_keys(segments.keys, [&](const auto& keys) { for_runs(keys, begin, end, f); });
    return;
  }
  begin = std::max(begin, segments.from());
  end = std::min(end, segments.to());
  if (begin >= end) return;
  std::int64_t s = segments.form == SegmentedScan::Form::equal
                       ? begin / segments.length
                       : std::upper_bound(segments.offsets, segments.offsets + segments.count + 1, begin) -
                             segments.offsets - 1;
  for (; begin < end; ++s) {
    const std::int64_t to = std::min(segments.end(s), end);
    if (begin < to) f(begin, to, begin == segments.begin(s));
    begin = std::max(begin, to);
  }
}

/// Results of elements [from, to) of one segment, of which `running` is op over all before them.
template <class C>
typename C::Acc scan_stretch(const typename C::Args& a, std::int64_t from, std::int64_t to,
                             typename C::Acc running) {
  for (std::int64_t i = from; i < to; ++i) {
    const auto next = typename C::Op{}(running, C::load(a.in[i]));
    a.out[i] = C::result(a.exclusive ? running : next);
    running = next;
  }
  return running;
}

/// Results of all elements in [begin, end), of which `running` is op over those of the first segment that lie before them.
template <class C>
void scan_range(const typename C::Args& a, std::int64_t begin, std::int64_t end, typename C::Acc running) {
  for_stretches(a.segments, begin, end, [&](std::int64_t from, std::int64_t to, bool begins) {
    scan_stretch<C>(a, from, to, begins ? a.init : running);
  });
}

}  // namespace tandem
