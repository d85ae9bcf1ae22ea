// Idea:    threads take pieces of the array, wherever runs begin. A piece first counts the runs that begin in it, and says
//          what it has of the one that goes on behind it; then each piece knows where its results go, and what lies before.
// New:     against serial, all cores. The count compares keys alone, by vector instructions, and what goes on behind a piece begins
//          with its last run: where runs are short, it is a few elements. Long runs take many accumulators at once, as in
//          segmented_reduce's step of this name; short ones a loop in which no branch depends on a key.
// Expect:  keys are read twice, the second time from the cache, elements once: a cycle or a few for each, however long
//          runs are. The result does not depend on the number of threads.
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
constexpr std::int64_t kAlone = 2;  // up to this many pieces one thread does all, and goes over them once

template <class C, class Word>
struct Pieces {
  using Acc = typename C::Acc;
  struct Summary {
    std::int64_t runs;  // that begin in the piece; then in all before it
    std::int64_t last;  // where the piece's last run begins, or the piece
    Acc tail;           // op over what the piece has of it
    Acc open{};         // then: op over what lies before the piece of the run that goes on
  };
  const typename C::Args& a;
  Keys<Word> keys;

  std::int64_t begin(std::int64_t p) const { return p * kPiece; }
  std::int64_t end(std::int64_t p) const { return std::min((p + 1) * kPiece, a.n); }

  Acc reduce(std::int64_t from, std::int64_t to) const { return reduce_run<C>(a.in + from, to - from); }
  Summary summary(std::int64_t p) const {
    const RunsOf runs = runs_of(keys, begin(p), end(p));
    return {runs.count, runs.last, reduce(runs.last, end(p))};
  }
  /// Writes the results of elements up to where a run ends.
  struct Writer {
    const Pieces& of;
    std::int64_t next;  // the run that begins next
    Acc open;           // op over elements of the run before that one, which goes on
    std::int64_t from;  // the first element that no result has yet

    void runs(std::int64_t to) {
      for_key_blocks(of.keys, from, to, [&](std::int64_t first, int size, const Marks& begins, int count) {
        if (Marks::are_few(count, size))
          begins.for_each(size, [&](int i) { begin_run(first + i); });
        else
          many(first, size, begins);
      });
      include(to);
    }
    /// Adds the elements up to `to` to the run that goes on, and stores its result so far.
    void include(std::int64_t to) {
      if (from == to) return;
      open = typename C::Op{}(open, of.reduce(from, to));
      of.a.out[next - 1] = open;
      from = to;
    }
    void begin_run(std::int64_t i) {
      include(i);
      static_cast<Word*>(of.a.keys_out)[next++] = of.keys.data[i];
      open = C::Op::template identity<Acc>();
    }
    /// A block in which many runs begin: without a branch, each result is stored until its run ends.
    void many(std::int64_t first, int size, const Marks& begins) {
      int i = 0;
      while (!begins.is[i]) ++i;
      include(first + i);
      auto* const keys_out = static_cast<Word*>(of.a.keys_out);
      Acc total = open;
      Word key{};
      std::int64_t run = next - 1;
      for (; i < size; ++i) {
        const Acc x = C::load(of.a.in[first + i]);
        run += begins.is[i];
        total = begins.is[i] ? x : typename C::Op{}(total, x);
        key = begins.is[i] ? of.keys.data[first + i] : key;
        of.a.out[run] = total;
        keys_out[run] = key;
      }
      open = total;
      next = run + 1;
      from = first + size;
    }
    /// The elements up to `to`, the end of the piece, are a part of one run, which may go on behind it; op over them is `total`.
    void finish(std::int64_t to, Acc total) {
      if (of.keys.begins(from)) begin_run(from);
      if (to == of.a.n || of.keys.begins(to)) of.a.out[next - 1] = typename C::Op{}(open, total);
    }
  };
};

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  with_keys(a.keys, [&]<class Word>(const Keys<Word>& keys) {
    using Summary = typename Pieces<C, Word>::Summary;
    const Pieces<C, Word> work{a, keys};
    const std::int64_t pieces = (a.n + kPiece - 1) / kPiece;
    const typename C::Acc identity = C::Op::template identity<typename C::Acc>();
    if (pieces <= kAlone) {
      typename Pieces<C, Word>::Writer writer{work, 0, identity, 0};
      writer.runs(a.n);
      *a.count = writer.next;
      return;
    }
    std::int64_t runs = 0;
    typename C::Acc open = identity;
    in_groups<Summary>(
        ctx, pieces, [&](std::int64_t p) { return work.summary(p); },
        [&](Summary& piece) {
          piece.open = std::exchange(open, piece.runs > 0 ? piece.tail : typename C::Op{}(open, piece.tail));
          runs += std::exchange(piece.runs, runs);
        },
        [&](std::int64_t p, const Summary& piece) {
          typename Pieces<C, Word>::Writer writer{work, piece.runs, piece.open, work.begin(p)};
          writer.runs(piece.last);
          writer.finish(work.end(p), piece.tail);
        });
    *a.count = runs;
  });
}

REGISTER(ReduceByKey, threads, .note = "threads take pieces, wherever runs begin")

}  // namespace
}  // namespace tandem
