// cuBLAS on the tensor cores, which round the elements of A and B to 11 significant bits: a different result,
// so a separate row with its own error bound.
// Limits:  floats.

#include "vendor_wrappers/gemm/cublas.cuh"

namespace tandem {
namespace {

template <class C>
requires std::is_same_v<typename C::T, float>
void cublas_tf32(const typename C::Args& g, Context& ctx) {
  cublas_gemm<C>(g, ctx, CUBLAS_TF32_TENSOR_OP_MATH);
}

// Each factor of a product may be off by 2^-11, relative; both together weigh as much as 2^14 roundings to 24
// bits. Sums are truncated, not rounded: twice the error per addition.
REGISTER(
    Gemm, cublas_tf32, .note = "cublasSgemm, TF32 arithmetic: factors of 11 bits",
    .version = cublas_version(), .depth = [](std::int64_t k) { return 2 * static_cast<double>(k) + 16384; },
    .suits =
        [](const Gemm::Shape& s) {
          return std::min({s.m, s.n, s.k}) >= 256;
        },
    .precision = Precision::tf32)

}  // namespace
}  // namespace tandem
