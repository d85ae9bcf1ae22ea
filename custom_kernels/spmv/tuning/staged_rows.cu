// 05_staged_rows with blocks of 64 to 192 rows, and 4 to 14 elements of x on their way for each.
//
// Expect:  small blocks wait less for each other; more elements are worth it up to the length of a row.

#include "custom_kernels/spmv/05_staged_rows.cu"
#include "custom_kernels/spmv/tuning/shapes.h"
#include "lib/harness/tuning_point.cuh"

namespace tandem {
namespace {

template <int kThreads, int kAhead>
bool add_rows() {
  using C = Spmv::Case<float>;
  constexpr int kTile = kThreads * (kRoom / kRows);
  const std::string rows = std::to_string(kThreads), ahead = std::to_string(kAhead);
  TuningPoint point{.tuning = "staged_rows",
                    .shapes = tuning_shapes(),
                    .row = kThreads,
                    .column = kAhead,
                    .row_label = rows + " rows",
                    .column_label = ahead + " elements"};
  point.implementation.name = rows + "x" + ahead;
  point.model = [](const TuningPoint&, int warps) { return share_on_their_way(kRoom / kRows, warps); };
  return add_point<Spmv, C, staged_rows<C, kThreads, kTile, kAhead>,
                   staged_rows_block<C::Of<std::int32_t>, kThreads, kTile, kAhead>, kThreads>(point);
}

template <int... kThreads>
bool add_all() {
  return ((add_rows<kThreads, 4>() && add_rows<kThreads, 7>() && add_rows<kThreads, 9>() &&
           add_rows<kThreads, 14>()) &&
          ...);
}

const bool added = add_all<64, 96, 128, 192>();

}  // namespace
}  // namespace tandem
