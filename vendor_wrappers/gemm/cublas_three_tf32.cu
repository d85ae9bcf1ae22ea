// Three products of cuBLAS in TF32: A = A₀ + A₂ and B = B₀ + B₂, parts of 11 bits each, so that
// A·B ≈ A₂·B₀ + A₀·B₂ + A₀·B₀.
// Limits:  floats.

#include "vendor_wrappers/gemm/composition.cuh"

namespace tandem {
namespace {

struct ThreeTf32 {
  using Part = float;
  static constexpr int kParts = 3;
  static constexpr int kProducts[][2] = {{2, 1}, {1, 2}, {0, 0}};
  static constexpr cudaDataType_t kType = CUDA_R_32F;
  static constexpr cublasComputeType_t kCompute = CUBLAS_COMPUTE_32F_FAST_TF32;
  static constexpr cublasMath_t kMode = CUBLAS_DEFAULT_MATH;

  /// The nearest number of 11 bits, so that no rounding is left to the library; towards 0 where that would be
  /// infinite.
  __device__ static float rounded(float x) {
    constexpr unsigned kDropped = (1u << 13) - 1;
    const unsigned bits = __float_as_uint(x);
    const float nearest = __uint_as_float((bits + (kDropped + 1) / 2) & ~kDropped);
    return isfinite(nearest) ? nearest : __uint_as_float(bits & ~kDropped);
  }
  __device__ static void split(float x, Part* parts) {
    const bool finite = isfinite(x);
    const float large = finite ? rounded(x) : 0;
    parts[0] = finite ? large : x != x ? __uint_as_float(0x7fc00000) : x;  // a NaN of any payload stays one
    parts[1] = large;
    parts[2] = finite ? rounded(x - large) : 0;
  }
};

template <class C>
requires std::is_same_v<typename C::T, float>
void cublas_three_tf32(const typename C::Args& g, Context& ctx) { composed_gemm<ThreeTf32, C>(g, ctx); }

// The product that is left out, and the rounding of both small parts, each weigh as much as 4 roundings to 24
// bits. Sums are truncated, not rounded: twice the error per addition.
REGISTER(
    Gemm, cublas_three_tf32, .note = "cublasGemmEx, three products in TF32 of factors split in two",
    .version = cublas_version(), .depth = [](std::int64_t k) { return 2 * static_cast<double>(k) + 16; },
    .precision = Precision::split, .by_name_only = kCopiesFactors,
    .deviates = "factors below 2^-115 lose digits")

}  // namespace
}  // namespace tandem
