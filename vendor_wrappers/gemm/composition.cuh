#pragma once
// A product of floats as a sum of products on the tensor cores, each of them a call of cuBLAS: both operands
// are split into parts of fewer bits, whose products are exact, and are multiplied part by part, smallest
// first, into one sum of floats. What a user can build from the library alone.

#include "vendor_wrappers/gemm/cublas.cuh"

namespace tandem {

/// The split of an operand into parts. A Split has: Part, the type of a part, and kType, cuBLAS's name of it;
/// kParts; split(x, parts), the parts of one element; kProducts, which part of A meets which part of B, in
/// their order; kCompute and kMode, how cuBLAS multiplies.
///
/// Part 0 is the largest, with what is infinite or NaN. Part 1 is the same, but 0 there: it meets the small
/// parts, which are 0 in most exact products, and 0 times infinity would be NaN.
template <class Split>
struct SplitOperand {
  typename Split::Part* parts;
  std::int64_t size;  // elements from one part to the next
  BlasOperand blas;
  const typename Split::Part* operator[](int part) const { return parts + part * size; }
};

constexpr int kSplitThreads = 256, kSplitPiece = 4 * kSplitThreads;  // elements of a line for each block

/// out + p · size: part p of the lines of `in`.
template <class Split>
__global__ void split_lines(const float* in, std::int64_t ld_in, std::int64_t length, std::int64_t pieces,
                            typename Split::Part* out, std::int64_t ld_out, std::int64_t size) {
  const std::int64_t line = blockIdx.x / pieces, first = blockIdx.x % pieces * kSplitPiece;
#pragma unroll
  for (int j = 0; j < kSplitPiece; j += kSplitThreads) {
    const std::int64_t i = first + j + threadIdx.x;
    if (i >= length) return;
    typename Split::Part parts[Split::kParts];
    Split::split(in[line * ld_in + i], parts);
#pragma unroll
    for (int p = 0; p < Split::kParts; ++p) out[p * size + line * ld_out + i] = parts[p];
  }
}

/// Parts of a matrix of rows × cols, each stored as the matrix is, with lines that begin on 16 bytes.
template <class Split>
SplitOperand<Split> split_operand(Context& ctx, const Strided<const float>& x, std::int64_t rows,
                                  std::int64_t cols) {
  constexpr std::int64_t kPack = 16 / sizeof(typename Split::Part);
  const BlasOperand stored = blas_operand(x, cols);
  const std::int64_t lines = stored.transposed ? cols : rows, length = stored.transposed ? rows : cols;
  const std::int64_t ld = ceil_div(length, kPack) * kPack, pieces = ceil_div(length, kSplitPiece);
  auto* parts = ctx.scratch<typename Split::Part>(Split::kParts * lines * ld);
  launch(ctx, lines * pieces, kSplitThreads, 0, split_lines<Split>, x.data, stored.ld, length, pieces, parts,
         ld, lines * ld);
  return {parts, lines * ld, {stored.transposed, ld}};
}

template <class Split, class C>
void composed_gemm(const typename C::Args& g, Context& ctx) {
  if (g.k == 0) return cublas_gemm<C>(g, ctx, CUBLAS_PEDANTIC_MATH);  // nothing to split
  const auto a = split_operand<Split>(ctx, g.a, g.m, g.k), b = split_operand<Split>(ctx, g.b, g.k, g.n);
  const auto op = [](const BlasOperand& x) { return x.transposed ? CUBLAS_OP_T : CUBLAS_OP_N; };
  const float one = 1;
  const float* beta = &g.beta;  // of the first product; the others add to it
  for (const auto& [of_a, of_b] : Split::kProducts) {
    // Row-major here is column-major there, where the transposed product is Bᵀ · Aᵀ.
    check(cublasGemmEx_64(cublas(ctx, Split::kMode), op(b.blas), op(a.blas), g.n, g.m, g.k, &g.alpha, b[of_b],
                          Split::kType, b.blas.ld, a[of_a], Split::kType, a.blas.ld, beta, g.c, CUDA_R_32F,
                          g.ldc, Split::kCompute, CUBLAS_GEMM_DEFAULT),
          ctx, "cublasGemmEx");
    beta = &one;
  }
}

/// For .by_name_only.
inline constexpr const char* kCopiesFactors =
    "copies both factors in parts, and multiplies them several times";

}  // namespace tandem
