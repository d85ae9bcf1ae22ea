// Idea:    threads share the rows; within a block a row's elements and those of x lie side by side, and two blocks go on at once.
// New:     against serial, all cores, and two sums that do not wait for each other.
// Expect:  the bandwidth of the memory for blocks of some elements; x is read in pieces of a block's width. The result does not depend
//          on the number of threads.
// Limits:  small matrices stay on one thread, because waking the others takes longer than the sums. Rows count as equal: one long row
//          of blocks keeps one thread busy.

#include "lib/core/workers.h"
#include "lib/ops/spmv_bsr/contract.h"

namespace tandem {
namespace {

constexpr std::int64_t kPieceElements = 1 << 15;  // about 20 µs of work
constexpr std::int64_t kAloneElements = 1 << 15;  // up to this many, one thread

/// The product of a row's elements in block k.
template <class Args, class T = decltype(Args::alpha)>
T block_product(const Args& a, std::int64_t k, std::int64_t r) {
  const std::int64_t column = a.columns[k] * a.block_cols, count = std::min(a.block_cols, a.cols - column);
  const T* const values = a.values + (k * a.block_rows + r) * a.block_cols;
  const T* const x = a.x + column;
  T sum = 0;
  for (std::int64_t c = 0; c < count; ++c) sum += values[c] * x[c];
  return sum;
}

template <class C>
void threads(const typename C::Args& a, Context&) {
  using T = typename C::T;
  const std::int64_t each =
      std::max<std::int64_t>(1, a.blocks * a.block_rows * a.block_cols / a.rows);  // elements of a row
  const Pieces pieces{.size = std::max<std::int64_t>(1, kPieceElements / each),
                      .alone = kAloneElements / each};
  parallel_for(a.rows, pieces, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t i = row / a.block_rows, r = row % a.block_rows, last = a.end(i);
      T one = 0, other = 0;
      std::int64_t k = a.begin(i);
      for (; k + 2 <= last; k += 2) one += block_product(a, k, r), other += block_product(a, k + 1, r);
      if (k < last) one += block_product(a, k, r);
      a.store(row, one + other);
    }
  });
}

REGISTER(
    SpmvBsr, threads, .note = "threads share rows",
    .depth = [](std::int64_t n) { return static_cast<double>(n + 1); })

}  // namespace
}  // namespace tandem
