// Idea:    threads take pieces of the input, equally long if a segment counts as one element more, wherever segments
//          begin and end. A piece reduces the segments that end in it, and keeps what it has of the one that goes on;
//          afterwards these carries are combined in order.
// New:     against serial, all cores, whatever the lengths: a piece may be a part of one segment or thousands of empty
//          ones. Long segments take many accumulators at once, as in reduce's step of this name.
// Expect:  the bandwidth of the memory for segments of tens of elements and more. Of shorter ones each takes a few
//          instructions that no vector shares, and a branch. The result does not depend on the number of threads.
// Limits:  small inputs stay on one thread, because waking the others takes longer than the sums. Columns are taken row
//          by row, strip by strip, into accumulators that stay in the cache.
// Source:  Merrill, Garland 2016, "Merge-based parallel sparse matrix-vector multiplication", on shares of elements and
//          segments together.

#include <algorithm>

#include "custom_kernels/segmented_reduce/detail/merge_path.h"
#include "lib/core/workers.h"
#include "lib/ops/segmented_reduce/contract.h"

namespace tandem {
namespace {

constexpr std::int64_t kPiece = 1 << 15;  // elements and segments that a thread claims at once
constexpr std::int64_t kAlone = 4;        // up to this many pieces one thread does all
constexpr int kLanes = 16;                // accumulators

template <class C>
typename C::T reduce_run(const typename C::T* in, std::int64_t n) {
  using T = typename C::T;
  constexpr typename C::Op op;
  T total = C::Op::template identity<T>();
  std::int64_t i = 0;
  if (n >= 2 * kLanes) {
    T lanes[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) lanes[lane] = in[lane];
    for (i = kLanes; i + kLanes <= n; i += kLanes) {
      for (int lane = 0; lane < kLanes; ++lane) lanes[lane] = op(lanes[lane], in[i + lane]);
    }
    for (int half = kLanes / 2; half > 0; half /= 2) {
      for (int lane = 0; lane < half; ++lane) lanes[lane] = op(lanes[lane], lanes[lane + half]);
    }
    total = lanes[0];
  }
  for (; i < n; ++i) total = op(total, in[i]);
  return total;
}

template <class C>
void reduce_pieces(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const SegmentedReduce::Layout& segments = a.segments;
  const bool side_by_side = segments.offsets || segments.stride == segments.length;
  struct Carry {
    std::int64_t first;  // the first segment that ends in the piece, or would
    bool ends;           // whether it does
    T value;             // op over what the piece has of the segment after the last one that ends
  };
  // Of segments with gaps between them each piece takes whole ones.
  const std::int64_t per_piece = std::max<std::int64_t>(1, kPiece / (segments.length + 1));
  const MergePath path{segments};
  const std::int64_t pieces =
      side_by_side ? (path.items() + kPiece - 1) / kPiece : (segments.count + per_piece - 1) / per_piece;
  Carry* carries = ctx.scratch<Carry>(pieces);
  const auto reduce_piece = [&](std::int64_t p) {
    MergePath::Point from = path.at(p * kPiece), to = path.at(std::min((p + 1) * kPiece, path.items()));
    const std::int64_t first = from.segment;
    for (; from.segment < to.segment; ++from.segment) {
      const std::int64_t end = segments.end(from.segment);
      a.out[from.segment] = reduce_run<C>(a.in + from.element, end - from.element);
      from.element = end;
    }
    carries[p] = {first, first < to.segment, reduce_run<C>(a.in + from.element, to.element - from.element)};
  };
  const auto reduce_whole = [&](std::int64_t p) {
    for (std::int64_t s = p * per_piece; s < std::min((p + 1) * per_piece, segments.count); ++s)
      a.out[s] = reduce_run<C>(a.in + segments.begin(s), segments.length);
  };
  parallel_for(pieces, {.most = 8, .alone = kAlone}, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t p = begin; p < end; ++p) side_by_side ? reduce_piece(p) : reduce_whole(p);
  });
  if (!side_by_side) return;
  T carried = C::Op::template identity<T>();
  for (std::int64_t p = 0; p < pieces; ++p) {
    const Carry& carry = carries[p];
    if (carry.ends) {
      a.out[carry.first] = typename C::Op{}(carried, a.out[carry.first]);
      carried = carry.value;
    } else {
      carried = typename C::Op{}(carried, carry.value);
    }
  }
}

/// Strips of columns × bands of rows, each into a row of accumulators of its own.
template <class C>
void reduce_columns(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  constexpr typename C::Op op;
  constexpr std::int64_t kStrip = 2048;  // columns
  const std::int64_t cols = a.segments.count, rows = a.segments.length;
  const std::int64_t strips = (cols + kStrip - 1) / kStrip;
  const std::int64_t band = std::max<std::int64_t>(1, kPiece / std::min(cols, kStrip));  // rows
  const std::int64_t bands = std::max<std::int64_t>(1, (rows + band - 1) / band);
  T* partial = bands == 1 ? a.out : ctx.scratch<T>(bands * cols);
  parallel_for(strips * bands, {.most = 8, .alone = kAlone}, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t p = begin; p < end; ++p) {
      const std::int64_t b = p / strips, first = p % strips * kStrip, width = std::min(kStrip, cols - first);
      T* const sums = partial + b * cols + first;
      std::fill(sums, sums + width, C::Op::template identity<T>());
      for (std::int64_t i = b * band; i < std::min(rows, (b + 1) * band); ++i) {
        const T* const row = a.in + i * a.segments.step + first;
        for (std::int64_t j = 0; j < width; ++j) sums[j] = op(sums[j], row[j]);
      }
    }
  });
  if (bands == 1) return;
  std::copy(partial, partial + cols, a.out);
  for (std::int64_t b = 1; b < bands; ++b) {
    for (std::int64_t j = 0; j < cols; ++j) a.out[j] = op(a.out[j], partial[b * cols + j]);
  }
}

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  if (a.segments.step > 1 || (a.segments.stride == 1 && a.segments.length > 1))
    reduce_columns<C>(a, ctx);
  else
    reduce_pieces<C>(a, ctx);
}

double depth(std::int64_t n) {
  return static_cast<double>(std::min(n, kPiece)) / kLanes + 2 * kLanes + static_cast<double>(n / kPiece + 1);
}

REGISTER(SegmentedReduce, threads, .note = "threads take equal shares of elements and segments",
         .depth = depth, .refuses = SegmentedReduce::takes_all)

}  // namespace
}  // namespace tandem
