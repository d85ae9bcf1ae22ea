// Idea:    real and imaginary parts are exchanged one after the other, through half the shared memory. In that room, long rows of floats
//          have thirty-two numbers a thread, with which 16,384 change threads twice in place of three times; others have sixteen.
// New:     against sixteen, which exchanges whole numbers: lengths are constants, and places in shared memory need no arithmetic. Of
//          doubles, the room is for the next row, which is on its way while one is transformed; each thread copies the numbers that
//          it will hold itself, and waits for no other. The line is in detail/parts_line.cuh.
// Expect:  less time between loads and stores of rows that fill a multiprocessor: 8,192 and 16,384 numbers of floats.
// Limits:  powers of two from 1,024 to 16,384, of doubles to 8,192. Barriers twice as many as of whole numbers, which shorter rows
//          feel. Copying ahead takes instructions and room: of floats it was slower (tuning/staged.cu).
// Source:  Govindaraju and others 2008, "High performance discrete Fourier transforms on graphics processors"; CUDA C++
//          Programming Guide, asynchronous copies.

#include "custom_kernels/fft/detail/ahead.cuh"

namespace tandem {
namespace {

/// kAhead: the next row is copied while one is transformed; else each is loaded when it is needed.
template <class Line, bool kAhead, int kBlocks, class Args, class T>
__global__ void __launch_bounds__(Line::kThreads, kBlocks) fft_staged(const Args a, const Complex<T>* roots) {
  constexpr int kHeld = Line::kHeld, kThreads = Line::kThreads;
  const auto from = [&](std::int64_t row, int t) { return Strided<T>{a.at(row, t), kThreads}; };
  for_each_tile<kHeld, kThreads, kAhead, T>(a.batch, from, [&](std::int64_t row, int t, auto& v) {
#pragma unroll
    for (int m = 0; m < kHeld; ++m) v[m] = a.loaded(v[m]);
    Line::transform(v, {t, kPartsBegin<kHeld, kThreads, kAhead>}, roots);
#pragma unroll
    for (int m = 0; m < kHeld; ++m) a.store(row, t + m * kThreads, v[m]);
  });
}

template <class Line>
constexpr int kStagedBlocks = kTileBlocks<typename Line::T, Line::kHeld, Line::kThreads>;

template <class C, class Line, bool kAhead = kCopiesAhead<typename C::T>, int kBlocks = kStagedBlocks<Line>>
void staged_rows(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  constexpr int kParts = Line::kPlaces + kPartsBegin<Line::kHeld, Line::kThreads, kAhead>;
  launch_tiles<fft_staged<Line, kAhead, kBlocks, typename C::Args, T>>(
      ctx, a.batch, Line::kThreads, kParts * sizeof(T), a, Line::roots(ctx));
}

template <class C>
void staged(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  if (a.n == 1024) return staged_rows<C, PartsLine<PlainLayout<T, 16>, 16, 16, 4>>(a, ctx);
  if (a.n == 2048) return staged_rows<C, PartsLine<PlainLayout<T, 16>, 16, 16, 8>>(a, ctx);
  if (a.n == 4096) return staged_rows<C, PartsLine<PlainLayout<T, 16>, 16, 16, 16>>(a, ctx);
  if constexpr (sizeof(T) == 8) {
    staged_rows<C, PartsLine<PlainLayout<T, 16>, 2, 16, 16, 16>>(a, ctx);
  } else {
    if (a.n == 8192) return staged_rows<C, PartsLine<PlainLayout<T, 32>, 32, 16, 16>>(a, ctx);
    staged_rows<C, PartsLine<PlainLayout<T, 32>, 32, 16, 32>>(a, ctx);
  }
}

[[maybe_unused]] std::string refuses(const Fft::Shape& s, CaseId id) {
  const std::int64_t longest = id.type == Type::f32 ? 16384 : 8192;
  if (s.n != 0 && (s.n < 1024 || s.n > longest))
    return "takes powers of two from 1024 to 16384, of doubles to 8192";
  return Fft::refuse_other_than_powers(s, id);
}

REGISTER(
    Fft, staged, .note = "real and imaginary parts exchanged one after the other", .depth = Fft::levels,
    .refuses = refuses, .suits = [](const Fft::Shape& s) { return s.n >= 8192; })

}  // namespace
}  // namespace tandem
