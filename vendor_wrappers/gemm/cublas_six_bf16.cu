// Six products of cuBLAS in bf16: A and B in three parts of 8 bits each, which hold all 24 bits. Of their nine
// products the three smallest are below the last bit of the sum.
// Limits:  floats.

#include <cuda_bf16.h>

#include "vendor_wrappers/gemm/composition.cuh"

namespace tandem {
namespace {

struct SixBf16 {
  using Part = __nv_bfloat16;
  static constexpr int kParts = 4;
  static constexpr int kProducts[][2] = {{3, 1}, {1, 3}, {2, 2}, {2, 1}, {1, 2}, {0, 0}};
  static constexpr cudaDataType_t kType = CUDA_R_16BF;
  static constexpr cublasComputeType_t kCompute = CUBLAS_COMPUTE_32F;
  static constexpr cublasMath_t kMode = CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;

  /// The nearest number of 8 bits; towards 0 where that would be infinite.
  __device__ static Part rounded(float x) {
    const Part nearest = __float2bfloat16_rn(x);
    return isfinite(__bfloat162float(nearest)) ? nearest : __float2bfloat16_rz(x);
  }
  __device__ static void split(float x, Part* parts) {
    const bool finite = isfinite(x);
    float rest = finite ? x : 0;
    for (int p = 1; p < kParts; ++p) {
      parts[p] = rounded(rest);
      rest -= __bfloat162float(parts[p]);
    }
    parts[0] = finite ? parts[1] : __float2bfloat16_rn(x);
  }
};

template <class C>
requires std::is_same_v<typename C::T, float>
void cublas_six_bf16(const typename C::Args& g, Context& ctx) { composed_gemm<SixBf16, C>(g, ctx); }

// The three products that are left out weigh less than a rounding. Sums are truncated, not rounded: twice the
// error per addition.
REGISTER(
    Gemm, cublas_six_bf16, .note = "cublasGemmEx, six products in bf16 of factors split in three",
    .version = cublas_version(), .depth = [](std::int64_t k) { return 2 * static_cast<double>(k) + 16; },
    .precision = Precision::split, .by_name_only = kCopiesFactors,
    .deviates = "factors below 2^-110 lose digits")

}  // namespace
}  // namespace tandem
