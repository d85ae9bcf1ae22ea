// Idea:    threads take equal shares of A's elements and rows, as spmv/threads does, and go through them as the loop would.
// New:     against serial, all cores, whatever the lengths of rows: one full row is shared out, and so are a million empty ones.
// Expect:  the time of serial, divided by the cores. The result does not depend on the number of threads.
// Limits:  small products stay on one thread.
// Source:  Merrill, Garland 2016, "Merge-based parallel sparse matrix-vector multiplication".

#include "custom_kernels/segmented_reduce/detail/shares.h"
#include "lib/ops/spmm/contract.h"

namespace tandem {
namespace {

constexpr std::int64_t kSmallPiece = kPiece / 16;  // elements and rows that a thread claims at once

template <class C>
void threads(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    reduce_shares<Plus, T>(
        a.rows, a.width, kSmallPiece, ctx.scratch<PieceCarry<T>>(pieces_of(a.rows, kSmallPiece) * a.width),
        [&](std::int64_t k, std::int64_t end, std::int64_t j) {
          T sum = 0;
          for (; k < end; ++k) sum += a.product(k, j);
          return sum;
        },
        [&](std::int64_t r, std::int64_t j, T sum) { a.store(r, j, sum); });
  });
}

REGISTER(Spmm, threads, .note = "threads take equal shares of elements and rows")

}  // namespace
}  // namespace tandem
