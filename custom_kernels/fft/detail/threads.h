#pragma once
// Rows shared out among the threads of the CPU.

#include "custom_kernels/fft/detail/row.h"
#include "lib/core/workers.h"

namespace tandem {

/// Calls work(row, rows, scratch) for all rows of `batch`, `together` at most at once, each worker with scratch of its own of
/// `each` numbers. n: numbers of a row.
template <class T, class Work>
void share_rows(Context& ctx, std::int64_t n, std::int64_t batch, std::int64_t together, std::int64_t each,
                const Work& work) {
  constexpr std::int64_t kPieceNumbers = 1 << 14;  // about 20 µs of work
  constexpr std::int64_t kAloneNumbers = 1 << 15;  // up to this many, one thread
  auto* scratch = ctx.scratch<Complex<T>>(each * most_workers());
  const std::int64_t groups = (batch + together - 1) / together, numbers = together * n;
  const Pieces pieces{.size = std::max<std::int64_t>(kPieceNumbers / numbers, 1),
                      .alone = kAloneNumbers / numbers};
  parallel_for(groups, pieces, [&](std::int64_t begin, std::int64_t end, int worker) {
    for (std::int64_t row = begin * together; row < std::min(end * together, batch); row += together)
      work(row, std::min(together, batch - row), scratch + worker * each);
  });
}

/// One row after the other, each shared out among the threads.
template <class T, class Args>
void share_parts_of_rows(Context& ctx, const Args& a, const MatrixRow<T>& row) {
  constexpr std::int64_t kPieceNumbers = 1 << 13;
  constexpr std::int64_t kLanes = MatrixRow<T>::kLanes;
  const std::int64_t room = (a.n + kLanes - 1) / kLanes * kLanes;  // behind it lie vectors
  auto* matrix = ctx.scratch<Complex<T>>(room + row.scratch() * most_workers());
  Complex<T>* const scratch = matrix + room;
  const auto share = [&](std::int64_t groups, const auto& transform) {
    const Pieces pieces{.size = std::max<std::int64_t>(kPieceNumbers * groups / a.n, 1), .alone = 1};
    parallel_for(groups, pieces, [&](std::int64_t begin, std::int64_t end, int worker) {
      for (; begin < end; ++begin) transform(begin, scratch + worker * row.scratch());
    });
  };
  for (std::int64_t r = 0; r < a.batch; ++r) {
    share(row.column_groups(), [&](std::int64_t group, Complex<T>* x) {
      row.transform_columns(group, parts_in(a, r), matrix, x);
    });
    share(row.row_groups(),
          [&](std::int64_t group, Complex<T>* x) { row.transform_rows(group, matrix, parts_out(a, r), x); });
  }
}

}  // namespace tandem
