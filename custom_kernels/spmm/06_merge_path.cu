// Idea:    each warp takes an equal share of the merge path, on which a row costs its elements and one item more, and walks along
//          it as the loop would, its lanes with neighbouring columns. Of the row that ends first in a share, and of the one that
//          goes on behind it, sums go to scratch; a second launch adds them up.
// New:     against columns_across_lanes, lengths do not matter: a share holds a part of one full row or hundreds of empty ones.
// Expect:  the speed of columns_across_lanes where rows are alike, and much the same at any other lengths.
// Limits:  B and C must be row-major. Two launches. The last share of a row across many adds up what they have one by one: of a
//          row of a million elements, two thousand. All orders are fixed: results repeat.
// Source:  Merrill, Garland 2016, "Merge-based parallel sparse matrix-vector multiplication"; Yang, Buluç, Owens 2018, "Design
//          principles for sparse matrix multiplication on the GPU".

#include "custom_kernels/segmented_reduce/detail/merge_path.h"
#include "custom_kernels/spmm/detail/columns.cuh"

namespace tandem {
namespace {

constexpr std::int64_t kShare = 512;  // elements and ends of rows

/// Of each share: where it begins, its sums of the row that ends first in it, and of the one that is open at its end.
template <class T>
struct Parts {
  PathPoint* begins;
  T* heads;  // (shares, width), as tails
  T* tails;
};

template <class C>
__global__ void add_share(typename C::Args a, ColumnLanes lanes, Parts<typename C::T> parts) {
  using T = typename C::T;
  start_early();
  const MergePath path{a.rows};
  const std::int64_t share = lanes.item(), j = lanes.column();
  if (share * kShare >= path.items() || j >= a.width) return;
  PathPoint at = path.at(share * kShare);
  const PathPoint to = path.at(min((share + 1) * kShare, path.items()));
  const std::int64_t first = at.segment, mine = share * a.width + j;
  if (j == 0) parts.begins[share] = at;
  const T* const b = a.b.data + j;
  const auto add_up_to = [&](std::int64_t end) {
    T sum = 0;
    for (; at.element < end; ++at.element) sum += a.values[at.element] * b[a.columns[at.element] * a.b.row];
    return sum;
  };
  for (; at.segment < to.segment; ++at.segment) {
    const T sum = add_up_to(a.rows.end(at.segment));
    if (at.segment == first)
      parts.heads[mine] = sum;
    else
      a.store(at.segment, j, sum);
  }
  parts.tails[mine] = add_up_to(to.element);
}

/// Of each share the row that ends first in it, with what the shares before it have of that row.
template <class C>
__global__ void store_first_row(typename C::Args a, ColumnLanes lanes, Parts<typename C::T> parts) {
  start_early();
  const MergePath path{a.rows};
  const std::int64_t share = lanes.item(), j = lanes.column();
  if (share * kShare >= path.items() || j >= a.width) return;
  const std::int64_t r = parts.begins[share].segment;
  if (path.place(r + 1) > min((share + 1) * kShare, path.items())) return;  // it goes on
  typename C::T sum = 0;
  for (std::int64_t s = path.place(r) / kShare; s < share; ++s) sum += parts.tails[s * a.width + j];
  a.store(r, j, sum + parts.heads[share * a.width + j]);
}

template <class C>
void merge_path(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  const std::int64_t shares = ceil_div(given.elements + given.rows.count, kShare);
  const ColumnLanes lanes(given.width);
  const Parts<T> parts{ctx.scratch<PathPoint>(shares), ctx.scratch<T>(shares * given.width),
                       ctx.scratch<T>(shares * given.width)};
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    launch_early(ctx, lanes.grid(shares), kColumnThreads, 0, add_share<K>, a, lanes, parts);
  });
  launch_early(ctx, lanes.grid(shares), kColumnThreads, 0, store_first_row<C>, given, lanes, parts);
}

REGISTER(Spmm, merge_path, .note = "warps take equal shares of elements and rows",
         .refuses = Spmm::refuse_columns)

}  // namespace
}  // namespace tandem
