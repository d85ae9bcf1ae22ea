// cublas?geam: B = 1·Aᵀ + 0.
// Limits:  floats and doubles, out of place.

#include "lib/ops/transpose/contract.h"
#include "vendor_wrappers/common/cublas.cuh"

namespace tandem {
namespace {

template <class C>
void cublas_geam(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  // Row-major here is column-major there, so that its result has `rows` rows.
  const auto call = [&](auto geam) {
    const T one(1), zero(0);
    check(geam(cublas(ctx, CUBLAS_DEFAULT_MATH), CUBLAS_OP_T, CUBLAS_OP_N, a.rows, a.cols, &one, a.in,
               a.ld_in, &zero, a.out, a.ld_out, a.out, a.ld_out),
          ctx, "cublas?geam");
  };
  if constexpr (std::is_same_v<T, float>)
    call(cublasSgeam_64);
  else if constexpr (std::is_same_v<T, double>)
    call(cublasDgeam_64);
}

std::string refuses(const Transpose::Shape& s, CaseId id) {
  if (s.in_place) return "geam works out of place only";
  return id.type == Type::f32 || id.type == Type::f64 ? "" : "geam takes floats and doubles only";
}

REGISTER(Transpose, cublas_geam, .note = "cublas?geam", .version = cublas_version(), .refuses = refuses,
         .loses_digits_on = "payloads", .deviates = "multiplies by 1, which may change the payload of a NaN")

}  // namespace
}  // namespace tandem
