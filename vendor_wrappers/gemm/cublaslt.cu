// cuBLASLt: the fastest of the algorithms that its heuristics propose, found by trying them in
// the first call of a shape.

#include <cublasLt.h>

#include <map>
#include <tuple>

#include "lib/core/context_impl.h"
#include "lib/ops/gemm/contract.h"
#include "vendor_wrappers/gemm/cublas.cuh"

namespace tandem {
namespace {

constexpr int kProposals = 8;
constexpr std::int64_t kWorkspace = 32 << 20;  // bytes

struct Destroy {
  void operator()(cublasLtMatmulDesc_t operation) const { cublasLtMatmulDescDestroy(operation); }
  void operator()(cublasLtMatrixLayout_t layout) const { cublasLtMatrixLayoutDestroy(layout); }
};
using OwnedOperation = std::unique_ptr<cublasLtMatmulDescOpaque_t, Destroy>;
using OwnedLayout = std::unique_ptr<cublasLtMatrixLayoutOpaque_t, Destroy>;

/// Descriptors of a call: the operation and its matrices.
struct Description {
  OwnedOperation operation;
  OwnedLayout left, right, result, trial;

  template <class C>
  Description(std::type_identity<C>, const typename C::Args& g, const BlasOperand& a, const BlasOperand& b,
              const Context& ctx) {
    constexpr cudaDataType_t type = cublas_type<typename C::T>;
    constexpr bool kDouble = std::is_same_v<typename C::T, double>;
    constexpr bool kNarrow = sizeof(typename C::T) == 2;
    cublasLtMatmulDesc_t made = nullptr;
    check(cublasLtMatmulDescCreate(&made,
                                   kDouble   ? CUBLAS_COMPUTE_64F
                                   : kNarrow ? CUBLAS_COMPUTE_32F
                                             : CUBLAS_COMPUTE_32F_PEDANTIC,
                                   kDouble ? CUDA_R_64F : CUDA_R_32F),
          ctx, "cublasLtMatmulDescCreate");
    operation.reset(made);
    const auto transposed = [&](cublasLtMatmulDescAttributes_t which, bool yes) {
      const cublasOperation_t op = yes ? CUBLAS_OP_T : CUBLAS_OP_N;
      check(cublasLtMatmulDescSetAttribute(operation.get(), which, &op, sizeof op), ctx,
            "cublasLtMatmulDescSetAttribute");
    };
    transposed(CUBLASLT_MATMUL_DESC_TRANSA, b.transposed);
    transposed(CUBLASLT_MATMUL_DESC_TRANSB, a.transposed);
    const auto layout = [&](std::int64_t rows, std::int64_t cols, std::int64_t ld) {
      cublasLtMatrixLayout_t matrix = nullptr;
      check(cublasLtMatrixLayoutCreate(&matrix, type, static_cast<std::uint64_t>(rows),
                                       static_cast<std::uint64_t>(cols), ld),
            ctx, "cublasLtMatrixLayoutCreate");
      return OwnedLayout(matrix);
    };
    // Row-major here is column-major there, where the transposed product is Bᵀ · Aᵀ.
    left = layout(b.transposed ? g.k : g.n, b.transposed ? g.n : g.k, b.ld);
    right = layout(a.transposed ? g.m : g.k, a.transposed ? g.k : g.m, a.ld);
    result = layout(g.n, g.m, g.ldc);
    trial = layout(g.n, g.m, g.n);
  }
};

struct Tried {
  std::shared_ptr<cublasLtContext> handle;
  using Key = std::tuple<cudaDataType_t, std::int64_t, std::int64_t, std::int64_t, bool, bool, std::int64_t,
                         std::int64_t, std::int64_t, bool, int>;
  std::map<Key, cublasLtMatmulAlgo_t> best;
};

int alignment(const void* data) {
  return 1 << std::min(8, __builtin_ctzll(reinterpret_cast<std::uintptr_t>(data) | 256));
}

template <class C>
void cublaslt(const typename C::Args& g, Context& ctx) {
  using T = typename C::T;
  if (g.k == 0) return cublas_gemm<C>(g, ctx, CUBLAS_PEDANTIC_MATH);  // Lt takes no empty matrix
  Tried& tried = ctx.keep<Tried>("cublaslt", [&] {
    cublasLtHandle_t made = nullptr;
    check(cublasLtCreate(&made), ctx, "cublasLtCreate");
    return Tried{{made, [](cublasLtHandle_t h) { cublasLtDestroy(h); }}, {}};
  });
  void* workspace = ctx.state<std::byte>("cublaslt workspace", kWorkspace);
  const BlasOperand a = blas_operand(g.a, g.k), b = blas_operand(g.b, g.n);
  const Description d(std::type_identity<C>{}, g, a, b, ctx);
  const auto multiply = [&](const cublasLtMatmulAlgo_t& algorithm, T* to, cublasLtMatrixLayout_t layout) {
    return cublasLtMatmul(tried.handle.get(), d.operation.get(), &g.alpha, g.b.data, d.left.get(), g.a.data,
                          d.right.get(), &g.beta, g.c, d.result.get(), to, layout, &algorithm, workspace,
                          kWorkspace, static_cast<cudaStream_t>(ctx.stream()));
  };
  const int aligned = std::min({alignment(g.a.data), alignment(g.b.data), alignment(g.c)});
  const typename Tried::Key key{cublas_type<T>, g.m,  g.n,   g.k,         a.transposed, b.transposed,
                                a.ld,           b.ld, g.ldc, g.beta == 0, aligned};
  auto found = tried.best.find(key);
  if (found == tried.best.end()) {
    cublasLtMatmulPreference_t preference = nullptr;
    check(cublasLtMatmulPreferenceCreate(&preference), ctx, "cublasLtMatmulPreferenceCreate");
    const std::shared_ptr<void> owner(preference, [](void* p) {
      cublasLtMatmulPreferenceDestroy(static_cast<cublasLtMatmulPreference_t>(p));
    });
    const std::uint64_t limit = kWorkspace;
    const std::uint32_t reduction =
        CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;  // others round sums of parts to 16 bits
    const auto set = [&](cublasLtMatmulPreferenceAttributes_t which, const auto& value) {
      check(cublasLtMatmulPreferenceSetAttribute(preference, which, &value, sizeof value), ctx,
            "cublasLtMatmulPreferenceSetAttribute");
    };
    set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, limit);
    set(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, reduction);
    const auto bytes = static_cast<std::uint32_t>(aligned);
    for (const auto which :
         {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
          CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES})
      set(which, bytes);
    cublasLtMatmulHeuristicResult_t proposals[kProposals];
    int count = 0;
    check(cublasLtMatmulAlgoGetHeuristic(tried.handle.get(), d.operation.get(), d.left.get(), d.right.get(),
                                         d.result.get(), d.result.get(), preference, kProposals, proposals,
                                         &count),
          ctx, "cublasLtMatmulAlgoGetHeuristic");
    // Timed on a separate result, since C may be an input too.
    T* elsewhere = ctx.scratch<T>(g.m * g.n);
    double best = 0;
    cublasStatus_t status = CUBLAS_STATUS_NOT_SUPPORTED;
    for (int i = 0; i < count; ++i) {
      if (proposals[i].state != CUBLAS_STATUS_SUCCESS) continue;
      const auto& algorithm = proposals[i].algo;
      const auto attempt = [&] { status = multiply(algorithm, elsewhere, d.trial.get()); };
      attempt();
      if (status != CUBLAS_STATUS_SUCCESS) continue;
      const double seconds = backend(ctx).seconds([&] {
        for (int repeat = 0; repeat < 3 && status == CUBLAS_STATUS_SUCCESS; ++repeat) attempt();
      });
      if (status == CUBLAS_STATUS_SUCCESS && (best == 0 || seconds < best)) {
        best = seconds;
        found = tried.best.insert_or_assign(key, algorithm).first;
      }
    }
    if (found == tried.best.end()) {
      if (status != CUBLAS_STATUS_NOT_SUPPORTED) check(status, ctx, "cublasLtMatmul");
      throw Unavailable(std::string(ctx.last().implementation) + ": its heuristics propose nothing");
    }
  }
  check(multiply(found->second, g.c, d.result.get()), ctx, "cublasLtMatmul");
}

REGISTER(Gemm, cublaslt,
         .note = "cublasLtMatmul, the fastest of its heuristics' proposals, sums in fp32 and fp64",
         .version = cublas_version())

}  // namespace
}  // namespace tandem
