// Idea:    threads take pieces of the array, wherever runs begin. A piece first counts the runs that begin in it, and says
//          what it has of the one that goes on behind it; then each piece knows where its results go, and what lies before.
// New:     against serial, all cores. The count compares keys alone, many at once, and what goes on behind a piece begins
//          with its last run: where runs are short, it is a few elements. Long runs take many accumulators at once, as in
//          segmented_reduce's step of this name.
// Expect:  keys are read twice, elements once. The result does not depend on the number of threads.
// Limits:  small inputs stay on one thread, because waking the others takes longer than the sums.
// Source:  Blelloch 1990, "Prefix sums and their applications", sections 1.3 and 1.5.

#include <algorithm>
#include <utility>

#include "custom_kernels/segmented_reduce/detail/accumulators.h"
#include "custom_kernels/segmented_scan/detail/stretches.h"
#include "lib/core/workers.h"
#include "lib/ops/reduce_by_key/contract.h"

namespace tandem {
namespace {

constexpr std::int64_t kPiece = 1 << 15;  // elements that a thread claims at once
constexpr std::int64_t kLong = 64;  // of a run: as long as it takes to fill and to empty many accumulators
constexpr std::int64_t kAlone = 2;  // up to this many pieces one thread does all, and goes over them once

template <class C, class Word>
struct Pieces {
  using Acc = typename C::Acc;
  struct Summary {
    std::int64_t runs;  // that begin in the piece; then in those before it
    std::int64_t last;  // where the piece's last run begins, or the piece
    Acc tail;           // op over what the piece has of it
    Acc open;           // op over all of that run up to the end of the piece
  };
  const typename C::Args& a;
  Keys<Word> keys;

  std::int64_t begin(std::int64_t p) const { return p * kPiece; }
  std::int64_t end(std::int64_t p) const { return std::min((p + 1) * kPiece, a.n); }

  Acc reduce(std::int64_t from, std::int64_t to) const {
    if (to - from >= kLong) return reduce_many<C>(a.in + from, to - from, a.in + a.n);
    Acc total = C::load(a.in[from]);
    for (std::int64_t i = from + 1; i < to; ++i) total = typename C::Op{}(total, C::load(a.in[i]));
    return total;
  }
  Summary summary(std::int64_t p) const {
    const Word* const key = keys.data + begin(p);
    const int size = static_cast<int>(end(p) - begin(p));
    int within = 0;
    for (int i = 1; i < size; ++i) within += !keys.same(key[i - 1], key[i]);
    std::int64_t last = begin(p);
    if (within > 0) {
      for (last = end(p) - 1; keys.same(keys.data[last - 1], keys.data[last]);) --last;
    }
    const Acc tail = reduce(last, end(p));
    return {within + keys.begins(begin(p)), last, tail, tail};
  }
  /// Writes runs of a part of the array; one that goes on behind it is written there.
  struct Writer {
    const Pieces& of;
    std::int64_t end;   // of the part
    std::int64_t next;  // the run that begins next
    Acc open;           // op over what lies before the part of the run before that one

    void runs(std::int64_t from, std::int64_t to) {
      for_runs(of.keys, from, to, [&](std::int64_t first, std::int64_t last, bool begins) {
        run(first, last, begins, of.reduce(first, last));
      });
    }
    void run(std::int64_t first, std::int64_t last, bool begins, Acc total) {
      if (begins)
        static_cast<Word*>(of.a.keys_out)[next++] = of.keys.data[first];
      else
        total = typename C::Op{}(open, total);
      if (last < end || last == of.a.n || of.keys.begins(last)) of.a.out[next - 1] = total;
    }
  };
};

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  with_keys(a.keys, [&]<class Word>(const Keys<Word>& keys) {
    using Summary = typename Pieces<C, Word>::Summary;
    const Pieces<C, Word> work{a, keys};
    const std::int64_t pieces = (a.n + kPiece - 1) / kPiece;
    const auto identity = C::Op::template identity<typename C::Acc>();
    if (pieces <= kAlone) {
      typename Pieces<C, Word>::Writer writer{work, a.n, 0, identity};
      writer.runs(0, a.n);
      *a.count = writer.next;
      return;
    }
    auto* const summaries = ctx.scratch<Summary>(pieces);
    const auto each_piece = [&](const auto& of_piece) {
      parallel_for(pieces, {.most = 8}, [&](std::int64_t p, std::int64_t end, int) {
        for (; p < end; ++p) of_piece(p);
      });
    };
    each_piece([&](std::int64_t p) { summaries[p] = work.summary(p); });
    std::int64_t runs = 0;
    for (std::int64_t p = 0; p < pieces; ++p) {
      // A piece in which no run begins is a part of one.
      if (summaries[p].runs == 0)
        summaries[p].open = typename C::Op{}(summaries[p - 1].open, summaries[p].open);
      runs += std::exchange(summaries[p].runs, runs);
    }
    each_piece([&](std::int64_t p) {
      const Summary& piece = summaries[p];
      typename Pieces<C, Word>::Writer writer{work, work.end(p), piece.runs,
                                              p > 0 ? summaries[p - 1].open : identity};
      writer.runs(work.begin(p), piece.last);
      writer.run(piece.last, work.end(p), keys.begins(piece.last), piece.tail);
    });
    *a.count = runs;
  });
}

REGISTER(ReduceByKey, threads, .note = "threads take pieces, wherever runs begin")

}  // namespace
}  // namespace tandem
