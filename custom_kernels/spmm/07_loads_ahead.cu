// Idea:    a warp asks for several elements of its share, and for the rows of B that they name, before it adds the first of them.
// New:     against merge_path, four elements wait for memory at once instead of one, with up to four columns of each lane, as in
//          shared_elements; shares are small where the matrix is; all lanes of a share look for its begin together; and parts of a row
//          that lie in one block are added there, so that scratch and the second launch have one part a block.
// Expect:  half of merge_path's time or less where one load waits for another; no gain where other warps hide that wait already.
// Limits:  B must be row-major. Of short rows most batches are not whole. Two launches, but of small matrices. All orders are fixed:
//          results repeat.
// Source:  Merrill, Garland 2016 (the path); Yang, Buluç, Owens 2018, "Design principles for sparse matrix multiplication on the GPU"
//          (independent loads of B under way together).

#include <algorithm>
#include <type_traits>

#include "custom_kernels/segmented_reduce/detail/merge_path.h"
#include "custom_kernels/spmm/detail/columns.cuh"

namespace tandem {
namespace {

constexpr int kMostColumns = 4;                             // of a lane
constexpr int kAhead = 4;                                   // elements, with the rows of B that they name
constexpr std::int64_t kLeastShare = 16, kMostShare = 512;  // elements and ends of rows
constexpr int kBlocks = 8;                                  // on a multiprocessor, before shares grow

/// Shares of a block lie side by side, each with a group of lanes.
struct Shares {
  int lanes, groups;
  std::int64_t size;           // of a share
  std::int64_t column_blocks;  // side by side in the grid

  TANDEM_HD std::int64_t of_block() const { return groups * size; }
};

/// Of each block: the row in which it begins; if that ends here but began before, its sums here; those of the row that is open
/// at the end.
template <class T>
struct Parts {
  std::int64_t* rows;
  T* heads;  // (blocks, width), as tails
  T* tails;
};

/// path.at(i), looked for by a group of `lanes` neighbouring lanes together. O(log(rows) / log(lanes + 1)).
__device__ PathPoint point_at(const MergePath& path, std::int64_t i, int lanes) {
  const int lane = int(threadIdx.x) % kWarp, first = lane / lanes * lanes;
  const unsigned group = (kAllLanes >> (kWarp - lanes)) << first;
  std::int64_t ends = 0, more = path.segments.count + 1;  // the least number of ends that is too large
  while (more - ends > 1) {
    const std::int64_t step = ceil_div(more - ends, lanes + 1), probe = ends + (lane - first + 1) * step;
    const bool behind = probe < more && path.place(probe) <= i;
    ends += __popc(__ballot_sync(group, behind)) * step;
    more = min(more, ends + step);
  }
  return {ends, path.segments.begin(0) + i - ends};
}

template <class C, int kColumns>
__global__ void __launch_bounds__(kColumnThreads)
    walk_shares(typename C::Args a, Shares shares, Parts<typename C::T> parts) {
  using T = typename C::T;
  __shared__ Shared<T, kColumnThreads * kColumns> open_sums;
  __shared__ Shared<std::int64_t, kColumnThreads> open_rows;
  start_early();
  const MergePath path{a.rows};
  const std::int64_t block = blockIdx.x / shares.column_blocks, block_from = block * shares.of_block();
  const int lanes = kColumns > 1 ? kWarp : shares.lanes;  // a constant where it can be one: of addresses, too
  const int group = int(threadIdx.x) / lanes, lane = int(threadIdx.x) % lanes;
  const std::int64_t j = blockIdx.x % shares.column_blocks * (kColumns * lanes) + lane;
  const auto has_column = [&](int c) { return j + c * lanes < a.width; };
  const auto store = [&](std::int64_t r, const T(&sums)[kColumns]) {
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      if (has_column(c)) a.store(r, j + c * lanes, sums[c]);
    }
  };
  const auto keep = [&](T* part, const T(&sums)[kColumns]) {
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      if (has_column(c)) part[block * a.width + j + c * lanes] = sums[c];
    }
  };

  const std::int64_t from = min(block_from + group * shares.size, path.items());
  const PathPoint begin = point_at(path, from, lanes);
  const std::int64_t first = begin.segment;
  const bool began_before = path.place(first) < from;  // row `first`, before this share
  if (threadIdx.x == 0 && blockIdx.x % shares.column_blocks == 0) parts.rows[block] = first;

  const T* const values = a.values + begin.element;
  const auto* const columns = a.columns + begin.element;
  const T* const b = a.b.data + j;
  int left = int(min(shares.size, path.items() - from)), at = 0;
  T sums[kColumns] = {}, head[kColumns] = {};
  const bool has_all_columns =
      (blockIdx.x % shares.column_blocks + 1) * (kColumns * lanes) <= a.width;  // of the block
  // Elements from `at` on: kAhead of them, or `some`.
  const auto add = [&](auto all_columns, auto all_elements, int some) {
    const T* lines[kAhead];
    T of_a[kAhead], of_b[kAhead][kColumns];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const int e =
          at + (all_elements.value ? i : min(i, some - 1));  // where there is none, the last one again
      lines[i] = b + columns[e] * a.b.row;
      of_a[i] = values[e];
    }
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
#pragma unroll
      for (int c = 0; c < kColumns; ++c) {
        if (all_columns.value || has_column(c)) of_b[i][c] = lines[i][c * lanes];
      }
    }
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
#pragma unroll
      for (int c = 0; c < kColumns; ++c) {
        if ((all_elements.value || i < some) && (all_columns.value || has_column(c)))
          sums[c] += of_a[i] * of_b[i][c];
      }
    }
  };
  const auto add_up_to = [&](int end) {
    for (; at < end; at += kAhead) {
      if (!has_all_columns)
        add(std::false_type{}, std::false_type{}, end - at);
      else if (end - at < kAhead)
        add(std::true_type{}, std::false_type{}, end - at);
      else
        add(std::true_type{}, std::true_type{}, kAhead);
    }
    at = end;
  };
  const auto end_of = [&](std::int64_t row) {
    return row < a.rows.count ? a.rows.end(row) - begin.element : 0;
  };
  std::int64_t r = first;
  for (std::int64_t end = end_of(r), next_end; left > 0; end = next_end) {
    next_end = end_of(r + 1);
    const int some = int(min(end - at, std::int64_t(left)));
    add_up_to(at + some);
    left -= some;
    if (left == 0) break;  // before the row's end
    if (r == first && began_before) {
#pragma unroll
      for (int c = 0; c < kColumns; ++c) head[c] = sums[c];
    } else {
      store(r, sums);
    }
#pragma unroll
    for (int c = 0; c < kColumns; ++c) sums[c] = 0;
    ++r;
    --left;
  }

  // What the shares of this block have of one row.
#pragma unroll
  for (int c = 0; c < kColumns; ++c) open_sums[c * kColumnThreads + int(threadIdx.x)] = sums[c];
  if (int(threadIdx.x) % lanes == 0) open_rows[group] = r;
  __syncthreads();
  const auto add_open = [&](std::int64_t row, T(&to)[kColumns]) {
    for (int g = group - 1; g >= 0 && open_rows[g] == row; --g) {
#pragma unroll
      for (int c = 0; c < kColumns; ++c)
        to[c] += open_sums[c * kColumnThreads + int(threadIdx.x) - (group - g) * lanes];
    }
  };
  if (r > first && began_before) {
    add_open(first, head);
    if (path.place(first) < block_from)
      keep(parts.heads, head);
    else
      store(first, head);
  }
  if (group == shares.groups - 1) {
    add_open(r, sums);
    keep(parts.tails, sums);
  }
}

/// Of each block but the first the row that ends there and began before: what all blocks have of it.
template <class C>
__global__ void __launch_bounds__(kColumnThreads)
    join_blocks(typename C::Args a, ColumnLanes lanes, Shares shares, Parts<typename C::T> parts) {
  using T = typename C::T;
  __shared__ Shared<T, kColumnThreads> sums;
  start_early();
  const MergePath path{a.rows};
  const std::int64_t block = 1 + blockIdx.x / lanes.blocks, from = block * shares.of_block();
  const std::int64_t r = parts.rows[block], begin = path.place(r);
  if (begin >= from || path.place(r + 1) > min(from + shares.of_block(), path.items())) return;
  const int group = int(threadIdx.x) / shares.lanes;
  const std::int64_t j = blockIdx.x % lanes.blocks * shares.lanes + int(threadIdx.x) % shares.lanes;
  T sum = 0;
  if (j < a.width) {
#pragma unroll 8
    for (std::int64_t b = begin / shares.of_block() + group; b < block; b += shares.groups)
      sum += parts.tails[b * a.width + j];
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  if (group > 0 || j >= a.width) return;
  for (int g = 1; g < shares.groups; ++g) sum += sums[g * shares.lanes + int(threadIdx.x)];
  a.store(r, j, sum + parts.heads[block * a.width + j]);
}

template <class C, int kColumns = kMostColumns>
void loads_ahead(const typename C::Args& given, Context& ctx) {
  const ColumnLanes lanes(given.width);
  if constexpr (kColumns > 1) {
    if (given.width <= kColumns / 2 * lanes.lanes) return loads_ahead<C, kColumns / 2>(given, ctx);
  }
  using T = typename C::T;
  const std::int64_t items = given.elements + given.rows.count;
  Shares shares{lanes.lanes, kColumnThreads / lanes.lanes, 0, ceil_div(given.width, kColumns * lanes.lanes)};
  const std::int64_t wanted =
      std::int64_t{kBlocks} * ctx.multiprocessors() * shares.groups;  // shares of all columns
  shares.size = std::clamp(ceil_div(items * shares.column_blocks, wanted), kLeastShare, kMostShare);
  const std::int64_t blocks = ceil_div(items, shares.of_block());
  const Parts<T> parts{ctx.scratch<std::int64_t>(blocks), ctx.scratch<T>(blocks * given.width),
                       ctx.scratch<T>(blocks * given.width)};
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    launch_early(ctx, blocks * shares.column_blocks, kColumnThreads, 0, walk_shares<K, kColumns>, a, shares,
                 parts);
  });
  if (blocks > 1)
    launch_early(ctx, (blocks - 1) * lanes.blocks, kColumnThreads, 0, join_blocks<C>, given, lanes, shares,
                 parts);
}

REGISTER(Spmm, loads_ahead, .note = "equal shares, four elements and their rows of B under way at once",
         .refuses = Spmm::refuse_columns_of_b)

}  // namespace
}  // namespace tandem
