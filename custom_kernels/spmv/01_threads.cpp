// Idea:    threads take pieces of the merge path, equally long if a row counts as one element more, wherever rows begin and
//          end. A piece adds up the rows that end in it, and keeps what it has of the one that goes on; afterwards these
//          carries are added in order.
// New:     against serial, all cores, whatever the lengths: one full row is shared out, and so are a million empty ones. In a
//          row four sums at once hide how long an addition takes.
// Expect:  the bandwidth of the memory where x stays in the cache. Of short rows each takes a few instructions that no vector
//          shares, and a branch. The result does not depend on the number of threads.
// Limits:  small matrices stay on one thread, because waking the others takes longer than the sums.
// Source:  Merrill, Garland 2016, "Merge-based parallel sparse matrix-vector multiplication".

#include "custom_kernels/segmented_reduce/detail/shares.h"
#include "lib/ops/spmv/contract.h"

namespace tandem {
namespace {

/// The products of elements [k, end), added up in four sums.
template <class C>
typename C::T sum_products(const typename C::Args& a, std::int64_t k, std::int64_t end) {
  using T = typename C::T;
  T sums[4] = {};
  for (; k + 4 <= end; k += 4) {
    for (int lane = 0; lane < 4; ++lane) sums[lane] += a.product(k + lane);
  }
  T rest = 0;
  for (; k < end; ++k) rest += a.product(k);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest;
}

template <class C>
void threads(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    reduce_shares<Plus, T>(
        a.rows, ctx, [&](std::int64_t begin, std::int64_t end) { return sum_products<K>(a, begin, end); },
        [&](std::int64_t r, T sum) { a.store(r, sum); });
  });
}

double depth(std::int64_t n) {
  return static_cast<double>(std::min(n, kPiece)) / 4 + 6 + static_cast<double>(n / kPiece + 1);
}

REGISTER(Spmv, threads, .note = "threads take equal shares of elements and rows", .depth = depth)

}  // namespace
}  // namespace tandem
