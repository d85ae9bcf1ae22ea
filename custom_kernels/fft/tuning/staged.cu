// 14_staged with 16 or 32 numbers a thread, one or two blocks' registers, and with the next row copied ahead or not.
//
// Expect:  32 numbers save an exchange of long rows, 16 have twice the warps; copying ahead takes room and instructions, and hides what
//          a second block does not.

#include "custom_kernels/fft/05_naive.cu"
#include "custom_kernels/fft/14_staged.cu"
#include "lib/harness/tuning_point.cuh"

namespace tandem {
namespace {

using Floats = Fft::Case<float>;

/// Rows of 8,192 and of 16,384; others, which tests have, by the definition.
template <int kHeld, bool kAhead>
void staged_with(const Floats::Args& a, Context& ctx) {
  constexpr int kBlocks = 2;  // of 8,192 numbers
  if (a.n != 8192 && a.n != 16384) return naive<Floats>(a, ctx);
  if constexpr (kHeld == 32) {
    if (a.n == 8192)
      return staged_rows<Floats, PartsLine<PlainLayout<float, 32>, 32, 16, 16>, kAhead, kBlocks>(a, ctx);
    staged_rows<Floats, PartsLine<PlainLayout<float, 32>, 32, 16, 32>, kAhead, 1>(a, ctx);
  } else {
    if (a.n == 8192)
      return staged_rows<Floats, PartsLine<PlainLayout<float, 16>, 2, 16, 16, 16>, kAhead, kBlocks>(a, ctx);
    staged_rows<Floats, PartsLine<PlainLayout<float, 16>, 4, 16, 16, 16>, kAhead, 1>(a, ctx);
  }
}

template <int kHeld, bool kAhead>
bool add_staged() {
  const std::string held = std::to_string(kHeld), ahead = kAhead ? "ahead" : "when needed";
  TuningPoint point{.tuning = "staged",
                    .shapes = {{8192, 2048}, {16384, 1024}},
                    .row = kHeld,
                    .column = kAhead,
                    .row_label = held + " numbers",
                    .column_label = "loaded " + ahead};
  point.implementation.name = held + "x" + (kAhead ? "1" : "0");
  point.model = [](const TuningPoint& at, int) { return at.column == 1 ? 1.0 : 0.5; };
  return add_point<Fft, Floats, staged_with<kHeld, kAhead>>(point);
}

const bool added =
    add_staged<16, false>() && add_staged<16, true>() && add_staged<32, false>() && add_staged<32, true>();

}  // namespace
}  // namespace tandem
