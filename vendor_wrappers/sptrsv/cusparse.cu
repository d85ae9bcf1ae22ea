// cusparseSpSV. Its analysis is made once for a plan and kept with the context, which keeps that of the last plan of a type, and
// those that graphs hold; values, which may have changed, are given to it with each call. It wants offsets and column numbers of one
// type: where these have 32 bits, offsets are copied first.
// Limits:  fewer than 2^31 − 1 rows and elements, columns that ascend, one triangle alone, another array for x than for b.

#include <memory>

#include "lib/ops/sptrsv/contract.h"
#include "vendor_wrappers/common/cusparse_csr.cuh"
#include "vendor_wrappers/common/last_made.cuh"

namespace tandem {
namespace {

struct Analysis {
  std::uint64_t number = 0;  // of the plan's own analysis; 0: none
  Array<std::byte> buffer;
  std::unique_ptr<Described<cusparseSpSVDescr_t, cusparseSpSV_destroyDescr>> descriptor;
};

template <class C>
void cusparse(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  constexpr bool kSingle = std::is_same_v<T, float>;
  constexpr cudaDataType kType = kCudaType<T>;
  const cusparseHandle_t handle = cusparse(ctx);

  Described<cusparseConstSpMatDescr_t, cusparseDestroySpMat> matrix;
  Described<cusparseConstDnVecDescr_t, cusparseDestroyDnVec> b, x;
  cusparseSpMatDescr_t triangle = nullptr;
  cusparseDnVecDescr_t to = nullptr;
  const cusparseIndexType_t index = index_type(a.columns);
  check(cusparseCreateCsr(&triangle, a.rows, a.rows, a.elements,
                          const_cast<void*>(offsets_like(a.columns, {a.offsets, a.rows, 0, 0, 1}, ctx)),
                          const_cast<void*>(a.columns.data()), const_cast<T*>(a.values), index, index,
                          CUSPARSE_INDEX_BASE_ZERO, kType),
        ctx, "cusparseCreateCsr");
  matrix.description = triangle;
  cusparseFillMode_t fill = a.upper ? CUSPARSE_FILL_MODE_UPPER : CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = a.unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
  check(cusparseSpMatSetAttribute(triangle, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill), ctx,
        "cusparseSpMatSetAttribute");
  check(cusparseSpMatSetAttribute(triangle, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal), ctx,
        "cusparseSpMatSetAttribute");
  check(cusparseCreateConstDnVec(&b.description, a.rows, a.b, kType), ctx, "cusparseCreateConstDnVec");
  check(cusparseCreateDnVec(&to, a.rows, a.x, kType), ctx, "cusparseCreateDnVec");
  x.description = to;

  auto& kept = ctx.keep<LastMade<Analysis>>(kSingle ? "cusparse sptrsv f32" : "cusparse sptrsv f64",
                                            [] { return LastMade<Analysis>(); });
  if (!kept.get() || (kept.get()->number != a.number && kept.is_recorded()))
    kept.replace(std::make_shared<Analysis>(Analysis{0, Array<std::byte>(ctx, 0), nullptr}));
  Analysis& analysis = *kept.get();
  const auto with = [&](auto call, const char* name, auto... last) {
    check(call(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &a.alpha, triangle, b.description, to, kType,
               CUSPARSE_SPSV_ALG_DEFAULT, analysis.descriptor->description, last...),
          ctx, name);
  };
  if (analysis.number != a.number) {
    analysis.number = 0;
    analysis.descriptor = std::make_unique<Described<cusparseSpSVDescr_t, cusparseSpSV_destroyDescr>>();
    check(cusparseSpSV_createDescr(&analysis.descriptor->description), ctx, "cusparseSpSV_createDescr");
    std::size_t bytes = 0;
    with(cusparseSpSV_bufferSize, "cusparseSpSV_bufferSize", &bytes);
    if (analysis.buffer.size() < std::int64_t(bytes))
      analysis.buffer = Array<std::byte>(ctx, std::int64_t(bytes));
    with(cusparseSpSV_analysis, "cusparseSpSV_analysis", static_cast<void*>(analysis.buffer.data()));
    analysis.number = a.number;
  }
  kept.keep_if_recorded(ctx);
  check(cusparseSpSV_updateMatrix(handle, analysis.descriptor->description, const_cast<T*>(a.values),
                                  CUSPARSE_SPSV_UPDATE_GENERAL),
        ctx, "cusparseSpSV_updateMatrix");
  call_library(ctx, [&] { with(cusparseSpSV_solve, "cusparseSpSV_solve"); });
}

REGISTER(
    Sptrsv, cusparse, .note = "cusparseSpSV, its analysis kept", .version = cusparse_version(),
    .refuses =
        [](const Sptrsv::Shape& s, CaseId id) {
          if (std::max(s.elements, s.rows) >= INT_MAX) return std::string("cuSPARSE counts in 32 bits here");
          if (s.in_place) return std::string("is called with two arrays alone");
          return Sptrsv::refuse_reports_and_disorder(s, id);
        },
    .loses_digits_on = "denormal", .repeats = false, .deviates = "does not report singular systems")

}  // namespace
}  // namespace tandem
