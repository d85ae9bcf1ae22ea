// Idea:    sixteen rows of a slice together: element j of each, then element j + 1. That is the order in which they lie.
// New:     against serial, memory is read once, from front to back, and sixteen sums do not wait for each other.
// Expect:  the bandwidth that one core has, where x stays in the cache. The layout was made for vectors; without an instruction that
//          gathers under a mask each product is a load, a comparison and a selection.
// Limits:  one core. Slices of fewer than four rows go row by row.
// Source:  Kreutzer and others 2014, "A unified sparse matrix data format for efficient general sparse matrix-vector multiplication on
//          modern processors with wide SIMD units".

#include "custom_kernels/spmv_sell/detail/row_groups.h"

namespace tandem {
namespace {

template <class C>
void row_groups(const typename C::Args& a, Context&) {
  for (std::int64_t group = 0; group < a.slices() * groups_of(a.slice_rows); ++group)
    multiply_group(a, group);
}

REGISTER(SpmvSell, row_groups, .note = "sixteen rows of a slice together")

}  // namespace
}  // namespace tandem
