// Idea:    threads take pieces of the input, equally long if a segment counts as one element more, wherever segments
//          begin and end. A piece reduces the segments that end in it, and keeps what it has of the one that goes on;
//          afterwards these carries are combined in order.
// New:     against serial, all cores, whatever the lengths: a piece may be a part of one segment or thousands of empty
//          ones. A segment takes eight accumulators at once, a long one 256 bytes of them, as in reduce's step of this name.
//          Segments of one length, if below 4,096, are taken as a whole, in a loop that is compiled for AVX2, too.
// Expect:  the bandwidth of the memory for segments of tens of elements and more. Of shorter ones of unlike lengths each takes
//          a few instructions that no vector shares, and a branch. The result does not depend on the number of threads.
// Limits:  small inputs stay on one thread, because waking the others takes longer than the sums. Rows with gaps between
//          them are each the work of one thread. Columns are taken row by row, strip by strip, into accumulators that
//          stay in the cache.
// Source:  Merrill, Garland 2016, "Merge-based parallel sparse matrix-vector multiplication", on shares of elements and
//          segments together.

#include "custom_kernels/segmented_reduce/detail/accumulators.h"
#include "custom_kernels/segmented_reduce/detail/shares.h"

namespace tandem {
namespace {

/// Segments below this are short.
constexpr int kShort = 16;
/// Segments of one length below this are taken as a whole.
constexpr std::int64_t kWhole = 1 << 12;
/// Whether reduce_short takes them.
bool is_short(const SegmentedReduce::Layout& s) {
  return !s.offsets && s.stride == s.length && s.length > 0 && s.length < kShort;
}
/// Segments of one length, so short that the compiler writes out the loop over each.
template <class C, int kLength = 1>
void reduce_short(const typename C::T* in, std::int64_t length, std::int64_t stride, std::int64_t count,
                  typename C::Acc* out) {
  if constexpr (kLength < kShort) {
    if (length != kLength) return reduce_short<C, kLength + 1>(in, length, stride, count, out);
    for (std::int64_t s = 0; s < count; ++s) {
      typename C::Acc total = C::load(in[s * kLength]);
      for (int i = 1; i < kLength; ++i) total = typename C::Op{}(total, C::load(in[s * kLength + i]));
      out[s] = total;
    }
  }
}

/// Segments of one length that begin `stride` apart; of long ones pieces are joined, so that no sum is long.
template <class C>
[[gnu::flatten]] TANDEM_CLONES void reduce_equal(const typename C::T* in, std::int64_t length,
                                                 std::int64_t stride, std::int64_t count,
                                                 typename C::Acc* out) {
  for (std::int64_t s = 0; s < count; ++s, in += stride) {
    auto total = reduce_run<C>(in, std::min(length, kPiece));
    for (std::int64_t done = kPiece; done < length; done += kPiece)
      total = typename C::Op{}(total, reduce_run<C>(in + done, std::min(length - done, kPiece)));
    out[s] = total;
  }
}

/// Pieces of whole segments of one length.
template <class C>
void reduce_whole(const typename C::Args& a) {
  const std::int64_t count = a.segments.count, length = a.segments.length, stride = a.segments.stride;
  const std::int64_t per_piece = std::max<std::int64_t>(1, kPiece / (length + 1));
  const auto reduce_some = is_short(a.segments) ? reduce_short<C> : reduce_equal<C>;
  parallel_for((count + per_piece - 1) / per_piece, {.most = 8, .alone = kAlone},
               [=, &a](std::int64_t begin, std::int64_t end, int) {
                 const std::int64_t first = begin * per_piece, last = std::min(end * per_piece, count);
                 reduce_some(a.in + first * stride, length, stride, last - first, a.out + first);
               });
}

template <class C>
void reduce_pieces(const typename C::Args& a, Context& ctx) {
  using Acc = typename C::Acc;
  const bool are_short = MergePath{a.segments}.items() / a.segments.count < kShort;
  const std::int64_t size = are_short ? kPiece / 4 : kPiece;  // elements of short segments take longer
  reduce_shares<typename C::Op, Acc>(
      a.segments, size, ctx.scratch<PieceCarry<Acc>>(pieces_of(a.segments, size)),
      [&](std::int64_t begin, std::int64_t end) { return reduce_run<C>(a.in + begin, end - begin); },
      [&](std::int64_t s, const Acc& value) { a.out[s] = value; });
}

/// As many rows at once as make a long one, where a single row is too short for vectors.
constexpr std::int64_t kTogether = 64;  // elements
template <class C>
void reduce_narrow(const typename C::T* in, std::int64_t rows, std::int64_t width, std::int64_t step,
                   typename C::Acc* out) {
  using Acc = typename C::Acc;
  constexpr typename C::Op op;
  Acc sums[kTogether];
  std::fill(std::begin(sums), std::end(sums), C::Op::template identity<Acc>());
  const auto include = [&](const auto* x, std::int64_t size, Acc* into) {
    for (std::int64_t j = 0; j < size; ++j) into[j] = op(into[j], static_cast<Acc>(x[j]));
  };
  const std::int64_t at_once = kTogether / width;  // rows
  for (std::int64_t i = 0; i < rows; i += at_once) {
    const std::int64_t count = std::min(at_once, rows - i);
    if (step == width)
      include(in + i * width, count * width, sums);
    else
      for (std::int64_t r = 0; r < count; ++r) include(in + (i + r) * step, width, sums + r * width);
  }
  std::copy(sums, sums + width, out);
  for (std::int64_t r = 1; r < at_once; ++r) include(sums + r * width, width, out);
}

/// Strips of columns × bands of rows, each into a row of accumulators of its own, which are then combined pair by pair.
constexpr std::int64_t kMostRows = 256;  // that an accumulator meets, so that no sum is long
template <class C>
void reduce_columns(const typename C::Args& a, Context& ctx) {
  using Acc = typename C::Acc;
  constexpr typename C::Op op;
  constexpr std::int64_t kStrip = 2048;  // columns
  const std::int64_t cols = a.segments.count, rows = a.segments.length, step = a.segments.step;
  const std::int64_t strips = (cols + kStrip - 1) / kStrip;
  const bool narrow = cols <= kTogether / 2;
  const std::int64_t band = std::min(kPiece / std::min(cols, kStrip),
                                     narrow ? kTogether / cols * kMostRows : kMostRows);  // rows
  const std::int64_t bands = std::max<std::int64_t>(1, (rows + band - 1) / band);
  Acc* partial = bands == 1 ? a.out : ctx.scratch<Acc>(bands * cols);
  parallel_for(strips * bands, {.most = 8, .alone = kAlone}, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t p = begin; p < end; ++p) {
      const std::int64_t b = p / strips, first = p % strips * kStrip, width = std::min(kStrip, cols - first);
      const std::int64_t row = b * band, count = std::min(band, rows - row);
      Acc* const sums = partial + b * cols + first;
      if (narrow) {
        reduce_narrow<C>(a.in + row * step, count, cols, step, sums);
        continue;
      }
      std::fill(sums, sums + width, C::Op::template identity<Acc>());
      for (std::int64_t i = row; i < row + count; ++i) {
        const auto* const x = a.in + i * step + first;
        for (std::int64_t j = 0; j < width; ++j) sums[j] = op(sums[j], C::load(x[j]));
      }
    }
  });
  if (bands == 1) return;
  for (std::int64_t apart = 1; apart < bands; apart *= 2) {
    for (std::int64_t b = 0; b + apart < bands; b += 2 * apart) {
      Acc* const into = partial + b * cols;
      for (std::int64_t j = 0; j < cols; ++j) into[j] = op(into[j], into[apart * cols + j]);
    }
  }
  std::copy(partial, partial + cols, a.out);
}

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  const SegmentedReduce::Layout& segments = a.segments;
  if (segments.step > 1)
    reduce_columns<C>(a, ctx);
  else if (!segments.offsets && (segments.stride != segments.length || segments.length < kWhole))
    reduce_whole<C>(a);
  else
    reduce_pieces<C>(a, ctx);
}

double depth(std::int64_t n) {
  constexpr int kFewest = 32;  // accumulators of a long run
  constexpr int kJoined =
      48;  // steps at most in which they, and elements left over, are joined; or of a short run
  const double piece = static_cast<double>(std::min(n, kPiece)) / kFewest + kJoined;
  const double pieces = static_cast<double>(n / (kPiece / 4) + 1);
  return static_cast<double>(std::min(n, kMostRows)) + piece + pieces;
}

REGISTER(SegmentedReduce, threads, .note = "threads take equal shares of elements and segments",
         .depth = depth, .refuses = SegmentedReduce::takes_all)

}  // namespace
}  // namespace tandem
