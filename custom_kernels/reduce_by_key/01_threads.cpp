// Idea:    threads take pieces of the array, wherever runs begin. A piece first counts the runs that begin in it, and says
//          what it has of the one that goes on behind it; then each piece knows where its results go, and what lies before.
// New:     against serial, all cores. The count compares keys alone, many at once, and what goes on behind a piece begins
//          with its last run: where runs are short, it is a few elements.
// Expect:  keys are read twice, elements of long runs, too. The result does not depend on the number of threads.
// Limits:  small inputs stay on one thread, because waking the others takes longer than the sums.
// Source:  Blelloch 1990, "Prefix sums and their applications", sections 1.3 and 1.5.

#include <algorithm>
#include <utility>

#include "custom_kernels/segmented_scan/detail/stretches.h"
#include "lib/core/workers.h"
#include "lib/ops/reduce_by_key/contract.h"

namespace tandem {
namespace {

constexpr std::int64_t kPiece = 1 << 15;  // elements that a thread claims at once
constexpr std::int64_t kAlone = 2;        // up to this many pieces one thread does all

template <class C, class Word>
struct Pieces {
  using T = typename C::T;
  struct Summary {
    std::int64_t runs;  // that begin in the piece; then in those before it
    T open;  // op over what the piece has of its last run; then over that run up to the end of the piece
  };
  const typename C::Args& a;
  Keys<Word> keys;

  std::int64_t begin(std::int64_t p) const { return p * kPiece; }
  std::int64_t end(std::int64_t p) const { return std::min((p + 1) * kPiece, a.n); }

  T reduce(std::int64_t from, std::int64_t to) const {
    T total = a.in[from];
    for (std::int64_t i = from + 1; i < to; ++i) total = typename C::Op{}(total, a.in[i]);
    return total;
  }
  Summary summary(std::int64_t p) const {
    std::int64_t runs = keys.begins(begin(p));
    for (std::int64_t i = begin(p) + 1; i < end(p); ++i) runs += !keys.same(keys.data[i - 1], keys.data[i]);
    std::int64_t last = end(p) - 1;
    while (last > begin(p) && keys.same(keys.data[last - 1], keys.data[last])) --last;
    return {runs, reduce(last, end(p))};
  }
  /// A run whose end lies elsewhere is written there. `next`: the run that begins next; open: what lies before the piece of
  /// the run before that one.
  void write(std::int64_t p, std::int64_t next, T open) const {
    for_runs(keys, begin(p), end(p), [&](std::int64_t from, std::int64_t to, bool begins) {
      T total = reduce(from, to);
      if (begins)
        static_cast<Word*>(a.keys_out)[next++] = keys.data[from];
      else
        total = typename C::Op{}(open, total);
      if (to == a.n || keys.begins(to)) a.out[next - 1] = total;
    });
  }
};

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  with_keys(a.keys, [&]<class Word>(const Keys<Word>& keys) {
    using Summary = typename Pieces<C, Word>::Summary;
    const Pieces<C, Word> work{a, keys};
    const std::int64_t pieces = (a.n + kPiece - 1) / kPiece;
    auto* const summaries = ctx.scratch<Summary>(pieces);
    const auto each_piece = [&](const auto& of_piece) {
      parallel_for(pieces, {.most = 8, .alone = kAlone}, [&](std::int64_t p, std::int64_t end, int) {
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
      work.write(p, summaries[p].runs,
                 p > 0 ? summaries[p - 1].open : C::Op::template identity<typename C::T>());
    });
    *a.count = runs;
  });
}

REGISTER(ReduceByKey, threads, .note = "threads take pieces, wherever runs begin")

}  // namespace
}  // namespace tandem
