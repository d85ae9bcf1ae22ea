// 15_tiles with the next tile copied ahead or not.

#include "custom_kernels/fft/05_naive.cu"
#include "custom_kernels/fft/15_tiles.cu"
#include "lib/harness/tuning_point.cuh"

namespace tandem {
namespace {

using Floats = Fft::Case<float>;

template <bool kAhead>
void tiles_at(const Floats::Args& a, Context& ctx) {
  if (a.n < kLeast || (a.n & (a.n - 1)) != 0) return naive<Floats>(a, ctx);
  tiles_with<Floats, kAhead>(a, ctx);
}

template <bool kAhead>
bool add_tiles() {
  TuningPoint point{.tuning = "tiles",
                    .shapes = {{65536, 256}, {262144, 64}, {1048576, 16}, {4194304, 4}},
                    .row = kAhead,
                    .column = 0,
                    .row_label = kAhead ? "ahead" : "when needed",
                    .column_label = "copied"};
  point.implementation.name = kAhead ? "ahead" : "needed";
  point.model = [](const TuningPoint& at, int) { return at.row == 1 ? 1.0 : 0.5; };
  return add_point<Fft, Floats, tiles_at<kAhead>>(point);
}

const bool added = add_tiles<false>() && add_tiles<true>();

}  // namespace
}  // namespace tandem
