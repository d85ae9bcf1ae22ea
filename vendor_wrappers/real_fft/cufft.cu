// cuFFT; the plan of a shape is made at its first call and kept.
// Limits:  back, spectra are copied first, for cuFFT may overwrite them, and does not say that it ignores the imaginary parts
//          that stand for nothing; so are real rows that begin where no complex number could. Factors take a kernel behind it.

#include <tuple>

#include "lib/ops/real_fft/contract.h"
#include "vendor_wrappers/common/cufft.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class Args, class T>
__global__ void copy_spectra(const Args a, Complex<T>* to) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x,
                     size = RealFft::spectrum_size(a.n);
  if (i < size * a.batch) to[i] = a.load_complex(i / size, i % size);
}
/// Rows of `parts` each, which may stay where they are.
template <class T>
__global__ void multiply_rows(const T* from, T* to, std::int64_t parts, std::int64_t batch,
                              std::int64_t from_distance, std::int64_t to_distance, T factor) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x, row = i / parts;
  if (row < batch) to[row * to_distance + i % parts] = factor * from[row * from_distance + i % parts];
}

/// A plan's execution, with the types of its call.
template <class In, class Out, class T>
void execute(cufftResult (*call)(cufftHandle, In*, Out*), cufftHandle plan, const T* in, T* out, Context& ctx,
             const char* name) {
  check_cufft(call(plan, reinterpret_cast<In*>(const_cast<T*>(in)), reinterpret_cast<Out*>(out)), ctx, name);
}

template <class T>
void execute(bool inverse, cufftHandle plan, const T* in, T* out, Context& ctx) {
  if constexpr (std::is_same_v<T, float>) {
    inverse ? execute(cufftExecC2R, plan, in, out, ctx, "cufftExecC2R")
            : execute(cufftExecR2C, plan, in, out, ctx, "cufftExecR2C");
  } else {
    inverse ? execute(cufftExecZ2D, plan, in, out, ctx, "cufftExecZ2D")
            : execute(cufftExecD2Z, plan, in, out, ctx, "cufftExecD2Z");
  }
}

template <class C>
void cufft(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  constexpr bool kSingle = std::is_same_v<T, float>;
  const std::int64_t spectrum = RealFft::spectrum_size(a.n);
  const auto multiply = [&](const T* from, T* to, std::int64_t parts, std::int64_t from_distance,
                            std::int64_t to_distance, T factor) {
    launch(ctx, ceil_div(parts * a.batch, kThreads), kThreads, 0, multiply_rows<T>, from, to, parts, a.batch,
           from_distance, to_distance, factor);
  };
  const auto aligned = [](const T* real) {
    return reinterpret_cast<std::uintptr_t>(real) % sizeof(Complex<T>) == 0;
  };
  const T* in = a.in;
  T* out = a.out;
  std::int64_t in_distance = a.in_distance, out_distance = a.out_distance;
  if (a.inverse) {
    auto* copy = ctx.scratch<Complex<T>>(spectrum * a.batch);
    launch(ctx, ceil_div(spectrum * a.batch, kThreads), kThreads, 0, copy_spectra<typename C::Args, T>, a,
           copy);
    in = reinterpret_cast<const T*>(copy), in_distance = spectrum;
    // Of odd rows it was seen to write into the room between them.
    if (!aligned(out) || (a.n % 2 != 0 && out_distance != a.n))
      out = ctx.scratch<T>(a.n * a.batch), out_distance = a.n;
  } else if (!aligned(in)) {
    auto* copy = ctx.scratch<T>(a.n * a.batch);
    multiply(in, copy, a.n, in_distance, a.n, 1);
    in = copy, in_distance = a.n;
  }
  long long n = a.n, n_complex = spectrum;
  const CufftSide real{&n, 1, a.inverse ? out_distance : in_distance};
  const CufftSide complex{&n_complex, 1, a.inverse ? in_distance : out_distance};
  const cufftType type = a.inverse ? (kSingle ? CUFFT_C2R : CUFFT_Z2D) : (kSingle ? CUFFT_R2C : CUFFT_D2Z);
  const cufftHandle plan =
      cufft_plan_of(ctx, kSingle ? "cufft real f32" : "cufft real f64",
                    std::tuple(a.n, a.batch, in_distance, out_distance, a.inverse), 1, &n,
                    a.inverse ? complex : real, a.inverse ? real : complex, type, a.batch);
  execute(a.inverse, plan, in, out, ctx);
  const std::int64_t width = a.inverse ? 1 : 2;  // parts of a result
  if (a.factor != 1 || out != a.out)             // cuFFT leaves both directions as they are
    multiply(out, a.out, a.inverse ? a.n : 2 * spectrum, out_distance * width, a.out_distance * width,
             a.factor);
}

REGISTER(RealFft, cufft, .note = "cufftExecR2C, C2R, D2Z, Z2D",
         .version = detail::version("cuFFT", CUFFT_VER_MAJOR, CUFFT_VER_MINOR),
         .depth = RealFft::levels_or_convolution, .loses_digits_on = "nan infinity",
         .deviates = "a row with a NaN or an infinity may spoil the row beside it")

}  // namespace
}  // namespace tandem
