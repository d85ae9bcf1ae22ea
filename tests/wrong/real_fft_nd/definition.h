#pragma once
// Right transforms by the definition, of which each wrong one changes something.

#include "custom_kernels/fft_nd/detail/serial_lines.h"
#include "custom_kernels/real_fft/detail/serial_rows.h"
#include "custom_kernels/real_fft_nd/detail/passes.h"

namespace tandem {

/// All passes; change_rows and change_lines may alter what a pass does.
template <class Args, class ChangeRows, class ChangeLines>
void transform_grids(const Args& a, Context& ctx, const ChangeRows& change_rows,
                     const ChangeLines& change_lines) {
  for_each_pass(
      a, ctx,
      [&](auto rows) {
        change_rows(rows);
        serial_rows(ctx, rows);
      },
      [&](auto lines) {
        change_lines(lines);
        serial_lines(ctx, lines);
      });
}
inline constexpr auto as_it_is = [](auto&) {};

}  // namespace tandem
