// cuBLAS in the precision of the elements: the library to beat. Doubles are multiplied on tensor cores in full precision;
// pedantic arithmetic, which keeps floats off them, would only slow doubles down.

#include "vendor_wrappers/gemm/cublas.cuh"

namespace tandem {
namespace {

template <class C>
void cublas(const typename C::Args& g, Context& ctx) {
  // Where it splits k, it would round sums of parts to 16 bits.
  constexpr cublasMath_t kNarrow = CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
  using T = typename C::T;
  cublas_gemm<C>(g, ctx,
                 std::is_same_v<T, float>    ? CUBLAS_PEDANTIC_MATH
                 : std::is_same_v<T, double> ? CUBLAS_DEFAULT_MATH
                                             : kNarrow);
}

REGISTER(Gemm, cublas, .note = "cublas?gemm, sums in fp32 and fp64", .version = cublas_version())

}  // namespace
}  // namespace tandem
