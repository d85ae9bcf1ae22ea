// cuFFT; the plan of a shape is made at its first call and kept.
// Limits:  the stride of an axis must be a multiple of that of the next one. cuFFT writes into the spectra that it transforms back, and
//          takes their symmetry for granted: they are copied. Factors take a kernel behind it.

#include <tuple>

#include "vendor_wrappers/common/cufft_grids.cuh"
#include "vendor_wrappers/real_fft_nd/symmetric.h"

namespace tandem {
namespace {

template <class T>
__global__ void copy_symmetric(const SymmetricSpectra<T> spectra, std::int64_t numbers, Complex<T>* out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < numbers) out[i] = spectra[i];
}

template <class T>
void execute(Context& ctx, cufftHandle plan, bool inverse, const T* in, T* out) {
  using Real = std::conditional_t<std::is_same_v<T, float>, cufftReal, cufftDoubleReal>;
  using Number = std::conditional_t<std::is_same_v<T, float>, cufftComplex, cufftDoubleComplex>;
  auto* const from = const_cast<T*>(in);
  const auto forward = [&](auto call, const char* name) {
    check_cufft(call(plan, reinterpret_cast<Real*>(from), reinterpret_cast<Number*>(out)), ctx, name);
  };
  const auto back = [&](auto call, const char* name) {
    check_cufft(call(plan, reinterpret_cast<Number*>(from), reinterpret_cast<Real*>(out)), ctx, name);
  };
  if constexpr (std::is_same_v<T, float>)
    inverse ? back(cufftExecC2R, "cufftExecC2R") : forward(cufftExecR2C, "cufftExecR2C");
  else
    inverse ? back(cufftExecZ2D, "cufftExecZ2D") : forward(cufftExecD2Z, "cufftExecD2Z");
}

template <class C>
void cufft(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  constexpr bool kSingle = std::is_same_v<T, float>;
  constexpr int kThreads = 256;
  const OfAxes spectrum = RealFftNd::spectrum(a.extents);
  const GridLayout reals = FftNd::contiguous(a.extents), numbers = FftNd::contiguous(spectrum);
  const auto aligned = [](const T* real) {
    return reinterpret_cast<std::uintptr_t>(real) % sizeof(Complex<T>) == 0;
  };
  const T* in = a.in;
  T* out = a.out;
  GridLayout from = a.from, to = a.to;
  if (a.inverse) {
    const std::int64_t all = numbers.distance * a.batch;
    auto* copy = ctx.scratch<Complex<T>>(all);
    launch(ctx, ceil_div(all, kThreads), kThreads, 0, copy_symmetric<T>, SymmetricSpectra<T>(a), all, copy);
    in = &copy->re, from = numbers;
    // Of odd rows it was seen to write into the room between them.
    if (!aligned(out) || (a.extents[2] % 2 != 0 && to != reals))
      out = ctx.scratch<T>(reals.distance * a.batch), to = reals;
  } else if (!aligned(in)) {
    auto* copy = ctx.scratch<T>(reals.distance * a.batch);
    copy_grids(ctx, in, from, copy, reals, a.extents, a.batch, T(1));
    in = copy, from = reals;
  }
  CufftAxes axes(a.extents, true);
  long long in_embed[3], out_embed[3];
  const CufftSide in_side = axes.side(from, in_embed), out_side = axes.side(to, out_embed);
  const cufftType type = a.inverse ? (kSingle ? CUFFT_C2R : CUFFT_Z2D) : (kSingle ? CUFFT_R2C : CUFFT_D2Z);
  const cufftHandle plan = cufft_plan_of(
      ctx, kSingle ? "cufft real grids f32" : "cufft real grids f64",
      std::tuple(a.extents, a.batch, from.strides, from.distance, to.strides, to.distance, a.inverse),
      axes.count, axes.extents, in_side, out_side, type, a.batch);
  execute(ctx, plan, a.inverse, in, out);
  if (a.factor == 1 && out == a.out) return;  // cuFFT leaves both directions as they are
  if (a.inverse) {
    copy_grids(ctx, static_cast<const T*>(out), to, a.out, a.to, a.extents, a.batch, a.factor);
  } else {
    auto* const results = reinterpret_cast<Complex<T>*>(a.out);
    copy_grids(ctx, static_cast<const Complex<T>*>(results), a.to, results, a.to, spectrum, a.batch,
               a.factor);
  }
}

std::string refuses(const RealFftNd::Shape& s, CaseId) {
  const CufftAxes axes(s.extents, true);
  return s.scale() == 0 || ((s.inverse || axes.fit(s.in)) && axes.fit(s.out))
             ? ""
             : "takes strides that are multiples of those of the next axis";
}

REGISTER(RealFftNd, cufft, .note = "cufftMakePlanMany64, cufftExecR2C, C2R, D2Z, Z2D",
         .version = detail::version("cuFFT", CUFFT_VER_MAJOR, CUFFT_VER_MINOR),
         .depth = RealFftNd::levels_or_convolution, .refuses = refuses, .loses_digits_on = "nan infinity",
         .deviates = "a grid with a NaN or an infinity may spoil the grid beside it")

}  // namespace
}  // namespace tandem
