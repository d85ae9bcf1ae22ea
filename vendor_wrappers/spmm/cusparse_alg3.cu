// cusparseSpMM with its third algorithm for rows, which gives the same bits again.
// Limits:  fewer than 2^31 − 1 rows, columns and elements, and no more elements than places. It faults where arrays do not begin at
//          16 bytes: of such CSR_ALG2 takes its place. It ends the capture of a graph.

#include "vendor_wrappers/spmm/cusparse.cuh"

namespace tandem {
namespace {

constexpr std::int64_t kAlignment = 16;  // bytes

bool aligned(const void* array) { return reinterpret_cast<std::uintptr_t>(array) % kAlignment == 0; }
template <class T>
bool lines_aligned(const Strided<T>& m) {
  return aligned(m.data) && (m.col == 1 ? m.row : m.col) * std::int64_t{sizeof(T)} % kAlignment == 0;
}

template <class C>
void cusparse_alg3(const typename C::Args& a, Context& ctx) {
  const bool fits =
      aligned(a.values) && aligned(a.columns.data()) && lines_aligned(a.b) && lines_aligned(a.c);
  cusparse_spmm<C>(a, ctx, fits ? CUSPARSE_SPMM_CSR_ALG3 : CUSPARSE_SPMM_CSR_ALG2);
}

REGISTER(Spmm, cusparse_alg3, .note = "cusparseSpMM, CSR_ALG3", .version = cusparse_version(),
         .refuses = spmm_refuses, .loses_digits_on = "denormal infinity wide unnamed_rows",
         .synchronises = true,
         .deviates =
             "products and sums of denormal size may be 0; NaN where a NaN is in a row of B that no element "
             "names")

}  // namespace
}  // namespace tandem
