#pragma once
// Real rows of nearly any length: in registers, in shared memory, by fft's four steps, or by a convolution that these make.

#include "custom_kernels/fft_nd/detail/any_lines.cuh"
#include "custom_kernels/real_fft/detail/long_rows.cuh"
#include "custom_kernels/real_fft/detail/register_rows.cuh"
#include "custom_kernels/real_fft/detail/shared_rows.cuh"
#include "custom_kernels/real_fft_nd/detail/passes.h"

namespace tandem {

/// Odd lengths to 2^23 except 11 and 13, even ones twice as long, and powers of two to 2^25.
inline bool takes_any_rows(std::int64_t n) { return takes_shared_rows(n) || takes_long_rows(n); }
/// The depth of all axes of a grid of n numbers, and of the split.
inline double levels_of_any_rows_and_axes(std::int64_t n) { return levels_of_any_axes(n) + 1; }

/// Transforms rows of a length that takes_any_rows().
template <class Rows, class T = decltype(Rows::factor)>
void any_rows(Context& ctx, const Rows& rows) {
  if (takes_register_rows(rows.n, sizeof(T)))
    register_rows(ctx, rows);
  else if (takes_shared_rows(rows.n))
    shared_rows(ctx, rows);
  else
    long_rows(ctx, rows);
}

}  // namespace tandem
