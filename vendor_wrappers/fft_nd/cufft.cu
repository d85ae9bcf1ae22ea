// cuFFT; the plan of a shape is made at its first call and kept.
// Limits:  the stride of an axis must be a multiple of that of the next one. Factors take a kernel behind it.

#include <tuple>

#include "vendor_wrappers/common/cufft_grids.cuh"

namespace tandem {
namespace {

template <class C>
void cufft(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  constexpr bool kSingle = std::is_same_v<T, float>;
  CufftAxes axes(a.extents);
  long long in_embed[3], out_embed[3];
  const CufftSide in = axes.side(a.from, in_embed), out = axes.side(a.to, out_embed);
  const cufftHandle plan = cufft_plan_of(
      ctx, kSingle ? "cufft grids f32" : "cufft grids f64",
      std::tuple(a.extents, a.batch, a.from.strides, a.from.distance, a.to.strides, a.to.distance),
      axes.count, axes.extents, in, out, kSingle ? CUFFT_C2C : CUFFT_Z2Z, a.batch);
  execute_complex(ctx, plan, a.in, a.out, a.inverse);
  if (a.factor == 1) return;  // cuFFT leaves both directions as they are
  copy_grids(ctx, static_cast<const Complex<T>*>(a.out), a.to, a.out, a.to, a.extents, a.batch, a.factor);
}

std::string refuses(const FftNd::Shape& s, CaseId) {
  const CufftAxes axes(s.extents);
  return FftNd::points(s.extents) == 0 || (axes.fit(s.in) && axes.fit(s.out))
             ? ""
             : "takes strides that are multiples of those of the next axis";
}

REGISTER(FftNd, cufft, .note = "cufftMakePlanMany64, cufftExecC2C, cufftExecZ2Z",
         .version = detail::version("cuFFT", CUFFT_VER_MAJOR, CUFFT_VER_MINOR),
         .depth = FftNd::levels_or_convolution, .refuses = refuses)

}  // namespace
}  // namespace tandem
