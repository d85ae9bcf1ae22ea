// cuBLAS in the precision of the elements: the library to beat. Doubles are multiplied on tensor cores in full precision;
// pedantic arithmetic, which keeps floats off them, would only slow doubles down.

#include "vendor_wrappers/gemm/cublas.cuh"

namespace tandem {
namespace {

template <class C>
void cublas(const typename C::Args& g, Context& ctx) {
  cublas_gemm<C>(g, ctx, std::is_same_v<typename C::T, float> ? CUBLAS_PEDANTIC_MATH : CUBLAS_DEFAULT_MATH);
}

REGISTER(Gemm, cublas, .note = "cublas?gemm, sums in fp32 and fp64", .version = cublas_version())

}  // namespace
}  // namespace tandem
