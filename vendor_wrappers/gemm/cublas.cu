// cuBLAS in the precision of the elements: the library to beat.

#include "vendor_wrappers/gemm/cublas.cuh"

namespace tandem {
namespace {

template <class C>
void cublas_pedantic(const typename C::Args& g, Context& ctx) {
  cublas_gemm<C>(g, ctx, CUBLAS_PEDANTIC_MATH);
}

REGISTER(Gemm, cublas_pedantic, .note = "cublas?gemm, fp32 and fp64 arithmetic", .version = cublas_version())

}  // namespace
}  // namespace tandem
