// Idea:    groups of rows are independent: threads share them.
// New:     against row_groups, all cores.
// Expect:  the bandwidth of the memory. The result does not depend on the number of threads.
// Limits:  small matrices stay on one thread, because waking the others takes longer than the sums. Groups count as equal: one long
//          slice keeps one thread busy.

#include "custom_kernels/spmv_sell/detail/row_groups.h"
#include "lib/core/workers.h"

namespace tandem {
namespace {

constexpr std::int64_t kPieceElements = 1 << 15;  // about 20 µs of work
constexpr std::int64_t kAloneElements = 1 << 15;  // up to this many, one thread

template <class C>
void threads(const typename C::Args& a, Context&) {
  const std::int64_t groups = a.slices() * groups_of(a.slice_rows);
  const std::int64_t each = std::max<std::int64_t>(1, (a.stored + a.rows) / groups);  // elements of a group
  const Pieces pieces{.size = std::max<std::int64_t>(1, kPieceElements / each),
                      .alone = kAloneElements / each};
  parallel_for(groups, pieces, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t group = begin; group < end; ++group) multiply_group(a, group);
  });
}

REGISTER(SpmvSell, threads, .note = "threads share groups of sixteen rows")

}  // namespace
}  // namespace tandem
