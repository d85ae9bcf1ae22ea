// Idea:    a column of C is spmv's product with a column of B: threads take equal shares of A's elements and rows, as
//          spmv/threads does.
// New:     against serial, all cores, whatever the lengths of rows.
// Expect:  A is read once for each column. Where B is row-major, a line of it is fetched for one element; where it is
//          column-major, a column that stays in a cache is read from there.
// Limits:  small products stay on one thread. Threads meet after each column.
// Source:  Merrill, Garland 2016, "Merge-based parallel sparse matrix-vector multiplication".

#include "custom_kernels/segmented_reduce/detail/shares.h"
#include "lib/ops/spmm/contract.h"

namespace tandem {
namespace {

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  auto* const carries = ctx.scratch<PieceCarry<T>>(pieces_of(a.rows));
  for (std::int64_t j = 0; j < a.width; ++j) {
    reduce_shares<Plus, T>(
        a.rows, kPiece, carries,
        [&](std::int64_t k, std::int64_t end) {
          T sum = 0;
          for (; k < end; ++k) sum += a.product(k, j);
          return sum;
        },
        [&](std::int64_t r, T sum) { a.store(r, j, sum); });
  }
}

REGISTER(Spmm, threads, .note = "column by column; threads take equal shares of elements and rows")

}  // namespace
}  // namespace tandem
