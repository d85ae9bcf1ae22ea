// needs: openblas
// OpenBLAS omatcopy, and imatcopy in place.
// Limits:  floats and doubles; counts in 32 bits.

#include <cblas.h>

#include "lib/ops/transpose/contract.h"
#include "vendor_wrappers/common/openblas.h"

namespace tandem {
namespace {

std::string refuses(const Transpose::Shape& s, CaseId id) {
  if (id.type != Type::f32 && id.type != Type::f64) return "OpenBLAS moves floats and doubles only";
  return fits_int(std::max(s.rows, s.cols), std::max(s.in_gap, s.out_gap))
             ? openblas_missing()
             : "OpenBLAS counts in 32 bits here";
}

template <class C>
void openblas(const typename C::Args& a, Context&) {
  using T = typename C::T;
  const auto call = [&](auto out_of_place, auto in_place) {
    const auto rows = static_cast<int>(a.rows), cols = static_cast<int>(a.cols);
    const auto ld_in = static_cast<int>(a.ld_in), ld_out = static_cast<int>(a.ld_out);
    if (a.in == a.out)
      in_place(CblasRowMajor, CblasTrans, rows, cols, T(1), a.out, ld_in, ld_out);
    else
      out_of_place(CblasRowMajor, CblasTrans, rows, cols, T(1), a.in, ld_in, a.out, ld_out);
  };
  if constexpr (std::is_same_v<T, float>)
    call(OPENBLAS(cblas_somatcopy), OPENBLAS(cblas_simatcopy));
  else if constexpr (std::is_same_v<T, double>)
    call(OPENBLAS(cblas_domatcopy), OPENBLAS(cblas_dimatcopy));
}

REGISTER(Transpose, openblas, .note = "cblas_?omatcopy, in place cblas_?imatcopy", .version = kOpenblas,
         .refuses = refuses, .loses_digits_on = "payloads",
         .deviates = "multiplies by 1, which may change the payload of a NaN")

}  // namespace
}  // namespace tandem
