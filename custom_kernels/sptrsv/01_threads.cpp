// Idea:    level after level; threads share the rows of one, which need none of each other.
// New:     against serial, all cores in wide levels, and rows in the order of levels.
// Expect:  where a level has a hundred thousand elements, as many rows at once as there are cores; where it has few, the
//          calling thread does it alone and wakes nobody. The same bits as serial.
// Limits:  rows of a level lie anywhere in the matrix, so each comes in cache lines of its own, where serial reads on: it takes
//          more than a few cores to win. Rows are shared out by their number, so a long one among short ones is waited for.
// Source:  Anderson, Saad 1989, "Solving sparse triangular linear systems on parallel computers".

#include "custom_kernels/sptrsv/detail/row.h"
#include "lib/core/workers.h"

namespace tandem {
namespace {

constexpr std::int64_t kPieceElements = 1 << 13, kAloneElements = 1 << 16;

template <class C>
void threads(const typename C::Args& given, Context&) {
  const std::int64_t average = 1 + given.elements / given.rows;
  const Pieces pieces{.size = std::max<std::int64_t>(1, kPieceElements / average),
                      .alone = std::max<std::int64_t>(1, kAloneElements / average)};
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    for (std::int64_t level = 0; level < a.levels; ++level) {
      const std::int32_t* const rows = a.order + a.begins[level];
      parallel_for(a.begins[level + 1] - a.begins[level], pieces,
                   [&](std::int64_t begin, std::int64_t end, int) {
                     for (std::int64_t i = begin; i < end; ++i) solve_row(a, rows[i]);
                   });
    }
  });
}

bool suits(const Sptrsv::Shape& s) {
  constexpr int kFew = 4;
  return most_workers() > kFew && s.elements + s.rows > kAloneElements * s.levels;
}

REGISTER(Sptrsv, threads, .note = "level after level, whose rows threads share", .suits = suits)

}  // namespace
}  // namespace tandem
