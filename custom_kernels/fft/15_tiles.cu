// Idea:    the four steps of long rows with staged's lines.
// New:     against four_step, lines whose lengths are constants, up to thirty-two floats of a thread, so that lines of 1,024 change
//          threads once; results of columns are stored where they were, in whole pieces, and the rows' only exchange also moves them
//          to the threads that store them in whole pieces: nothing changes places for the sake of the memory alone.
// Expect:  twice the traffic of a copy, at its bandwidth, up to lines of 1,024.
// Limits:  powers of two from 1,024 to 2^24; pieces are 128 bytes, of lines of 2,048 numbers 64, of 4,096 32.
// Source:  Bailey 1990, "FFTs in external or hierarchical memory".

#include <bit>

#include "custom_kernels/fft/detail/ahead.cuh"
#include "custom_kernels/fft/detail/four_step.cuh"

namespace tandem {
namespace {

using detail::LongRoots;

/// Neighbouring lines of a block: as many as make pieces of 128 bytes, or as it has room for.
template <class Part, bool kCopied, int kHeldNumbers, int kFirst, int... kMore>
struct Tile {
  static constexpr bool kAhead = kCopied;
  using T = Part;
  static constexpr int kHeld = kHeldNumbers, kLength = kFirst * (kMore * ... * 1), kRoom = 128 << 10;
  static constexpr int kBanks = 128 / static_cast<int>(sizeof(T)), kNumber = 2 * static_cast<int>(sizeof(T));
  static constexpr int kLines = std::min(kBanks / 2, kRoom / kNumber / kLength);
  static constexpr int kOfLine = kLength / kHeld,
                       kThreads = kLines * kOfLine;  // threads of a line; of the block
  static constexpr int kBlocks = kTileBlocks<T, kHeld, kThreads>;
  /// Columns lie between each other, so that neighbouring lanes, which hold neighbouring lines, use neighbouring banks.
  using Column = PartsLine<PartsLayout<T, kHeld, kFirst, kLines>, kFirst, kMore...>;
  /// Rows lie one behind the other, at a distance with which that is so, too.
  using Row = PartsLine<PartsLayout<T, kHeld, kFirst, 1>, kFirst, kMore...>;
  static constexpr int kRowDistance = (Row::kPlaces + kBanks - 1) / kBanks * kBanks + kBanks / kLines;
  /// The line that neighbouring threads of number `group` load: those of a warp begin in different banks.
  static constexpr int kGroups = std::max(1, kBanks / kOfLine);
  __device__ static int line_of(int group) { return group / kGroups + group % kGroups * (kLines / kGroups); }
  static constexpr int kBegin = kPartsBegin<kHeld, kThreads, kAhead>;
  static constexpr std::size_t kShared = (kBegin + kLines * kRowDistance) * sizeof(T);
};

/// Columns of rows, 2^log_across of each, transformed and turned, to where they were in `columns`.
template <class Tile, class Args, class T>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocks)
    fft_tile_columns(const Args a, Complex<T>* columns, const LongRoots<T> long_roots, int log_across,
                     const Complex<T>* roots) {
  constexpr int kHeld = Tile::kHeld, kLines = Tile::kLines, kOfLine = Tile::kOfLine;
  const std::int64_t across = std::int64_t{1} << log_across, of_row = across / kLines;
  const auto column = [&](std::int64_t tile, int thread) {
    return static_cast<int>(tile & (of_row - 1)) * kLines + thread % kLines;
  };
  const auto from = [&](std::int64_t tile, int thread) {
    const std::int64_t number = (thread / kLines << log_across) + column(tile, thread);
    return Strided<T>{a.at((tile * kLines) >> log_across, number), kOfLine * across};
  };
  const auto work = [&](std::int64_t tile, int thread, auto& v) {
    const int t = thread / kLines, c = column(tile, thread);
#pragma unroll
    for (int m = 0; m < kHeld; ++m) v[m] = a.loaded(v[m]);
    Tile::Column::transform(v, {t, Tile::kBegin + thread % kLines}, roots);
    // Number k of column c takes root k·c: that of t, and for each m that of m · kOfLine.
    turn_in_fours<kHeld>(v, [&](int bit) { return long_roots((kOfLine << bit) * c); });
    const Complex<T> root = long_roots(t * c);
    Complex<T>* const to =
        columns + ((tile * kLines) >> log_across) * (Tile::kLength * across) + (t << log_across) + c;
#pragma unroll
    for (int m = 0; m < kHeld; ++m) to[m * (kOfLine * across)] = v[m] * root;
  };
  for_each_tile<kHeld, Tile::kThreads, Tile::kAhead, T>((a.batch << log_across) / kLines, from, work);
}

/// Number k1 of all columns, one behind the other: results k1, k1 + 2^log_across, … of a row.
template <class Tile, class Args, class T>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocks)
    fft_tile_rows(const Args a, const Complex<T>* columns, int log_across, const Complex<T>* roots) {
  constexpr int kHeld = Tile::kHeld, kLines = Tile::kLines, kOfLine = Tile::kOfLine;
  const auto from = [&](std::int64_t tile, int thread) {
    const std::int64_t line = tile * kLines + Tile::line_of(thread / kOfLine);
    return Strided<T>{columns + line * Tile::kLength + thread % kOfLine, kOfLine};
  };
  const auto work = [&](std::int64_t tile, int thread, auto& v) {
    const int line = thread % kLines, t = thread / kLines;
    const auto begin = [](int of) { return Tile::kBegin + of * Tile::kRowDistance; };
    Tile::Row::transform(v, {thread % kOfLine, begin(Tile::line_of(thread / kOfLine))}, {t, begin(line)},
                         roots);
    const std::int64_t row = (tile * kLines) >> log_across;
    const std::int64_t k1 = ((tile * kLines) & ((std::int64_t{1} << log_across) - 1)) + line;
#pragma unroll
    for (int m = 0; m < kHeld; ++m) a.store(row, (std::int64_t{t + m * kOfLine} << log_across) + k1, v[m]);
  };
  for_each_tile<kHeld, Tile::kThreads, Tile::kAhead, T>((a.batch << log_across) / kLines, from, work);
}

/// Calls f.operator()<Tile>() for lines of a power of two from 32 to 4,096.
template <class T, bool kAhead, class F>
void with_tile(std::int64_t length, F&& f) {
  constexpr int kMany = sizeof(T) == 4 ? 32 : 16;
  if (length == 32) return f.template operator()<Tile<T, kAhead, 16, 16, 2>>();
  if (length == 64) return f.template operator()<Tile<T, kAhead, 16, 16, 4>>();
  if (length == 128) return f.template operator()<Tile<T, kAhead, 16, 16, 8>>();
  if (length == 256) return f.template operator()<Tile<T, kAhead, 16, 16, 16>>();
  if (length == 2048) return f.template operator()<Tile<T, kAhead, kMany, 16, 16, 8>>();
  if (length == 4096) return f.template operator()<Tile<T, kAhead, kMany, 16, 16, 16>>();
  if constexpr (kMany == 32) {
    if (length == 512) return f.template operator()<Tile<T, kAhead, 32, 32, 16>>();
    f.template operator()<Tile<T, kAhead, 32, 32, 32>>();
  } else {
    if (length == 512) return f.template operator()<Tile<T, kAhead, 16, 8, 8, 8>>();
    f.template operator()<Tile<T, kAhead, 16, 16, 16, 4>>();
  }
}

constexpr std::int64_t kLeast = 1024;

template <class C, bool kAhead>
void tiles_with(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  using Args = typename C::Args;
  auto* columns = ctx.scratch<Complex<T>>(a.n * a.batch);
  const detail::LongRows<T> rows(ctx, a.n, a.batch);
  const auto log2 = [](std::int64_t n) { return std::countr_zero(static_cast<std::uint64_t>(n)); };
  with_tile<T, kAhead>(rows.n1, [&]<class Tile>() {
    launch_tiles<fft_tile_columns<Tile, Args, T>>(ctx, a.batch * rows.n2 / Tile::kLines, Tile::kThreads,
                                                  Tile::kShared, a, columns, rows.roots, log2(rows.n2),
                                                  Tile::Column::roots(ctx));
  });
  with_tile<T, kAhead>(rows.n2, [&]<class Tile>() {
    launch_tiles<fft_tile_rows<Tile, Args, T>>(ctx, a.batch * rows.n1 / Tile::kLines, Tile::kThreads,
                                               Tile::kShared, a, columns, log2(rows.n1),
                                               Tile::Row::roots(ctx));
  });
}

template <class C>
void tiles(const typename C::Args& a, Context& ctx) {
  tiles_with<C, kCopiesAhead<typename C::T>>(a, ctx);
}

[[maybe_unused]] std::string refuses(const Fft::Shape& s, CaseId id) {
  if (s.n != 0 && (s.n < kLeast || s.n > kMostFourStep)) return "takes powers of two from 1024 to 2^24";
  return Fft::refuse_other_than_powers(s, id);
}

REGISTER(
    Fft, tiles, .note = "the four steps with staged's lines", .depth = Fft::levels, .refuses = refuses,
    .suits = [](const Fft::Shape& s) { return s.n > 2 * kLongestLine; })

}  // namespace
}  // namespace tandem
