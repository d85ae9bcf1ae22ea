// Idea:    extents that are no powers of two by the few passes of fft's wide: rows as real_fft's wide_rows, lines as fft_nd's
//          wide_axes.
// New:     against any_axis, radices up to 25 in place of mixed passes through shared memory.
// Expect:  a copy of the spectra for each axis, as long as a block has eight lines.
// Limits:  any_axis's, and one axis that wide takes: up to 10,000, half of that of doubles, even last ones twice as long, without
//          prime factors above 7, of two factors at least, and no power of two from 8 on.
// Source:  Good 1958, "The interaction algorithm and practical Fourier analysis"; Cooley, Lewis, Welch 1970, "The fast Fourier
//          transform algorithm: programming considerations in the calculation of sine, cosine and Laplace transforms".

#include "custom_kernels/fft_nd/detail/wide_lines.cuh"
#include "custom_kernels/real_fft/detail/wide_rows.cuh"
#include "custom_kernels/real_fft_nd/detail/any_rows.cuh"

namespace tandem {
namespace {

/// Powers of two are left to registers, except rows that are too short for them.
bool takes_rows(std::int64_t n, std::size_t element_bytes) {
  return takes_wide_rows(n, element_bytes) && !takes_register_rows(n, element_bytes);
}

template <class C>
void wide_axes(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  for_each_pass(
      a, ctx,
      [&](const auto& rows) { takes_rows(rows.n, sizeof(T)) ? wide_rows(ctx, rows) : any_rows(ctx, rows); },
      [&](const Pass<T>& lines) { wide_or_any_lines(ctx, lines); });
}

std::string refuses(const RealFftNd::Shape& s, CaseId id) {
  const std::size_t bytes = size_of(id.type);
  const bool rows = takes_rows(s.extents[2], bytes), first = takes_wide_lines(s.extents[0], bytes),
             second = takes_wide_lines(s.extents[1], bytes);
  const bool takes_all = (rows || takes_any_rows(s.extents[2])) && (first || takes_any_lines(s.extents[0])) &&
                         (second || takes_any_lines(s.extents[1]));
  return s.scale() == 0 || (takes_all && (rows || first || second))
             ? ""
             : "needs an extent up to 10000, of doubles 5000, even last ones twice as long, "
               "of two prime factors or more, none above 7, and no power of two from 8 on; "
               "the others as any_axis takes them";
}

REGISTER(RealFftNd, wide_axes, .note = "mixed axes by radices to 25, others as any_axis",
         .depth = levels_of_any_rows_and_axes, .refuses = refuses)

}  // namespace
}  // namespace tandem
