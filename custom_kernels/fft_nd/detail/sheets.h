#pragma once
// The lines of a pass on the CPU, in groups of neighbours.

#include "custom_kernels/fft/detail/threads.h"
#include "custom_kernels/fft_nd/detail/passes.h"

namespace tandem {

template <class T>
RowParts<const T> parts_in(const Lines<T>& a, std::int64_t line) {
  return {&a.in[line * a.in_distance].re, 2 * a.in_distance, 2 * a.in_stride, a.inverse};
}
template <class T>
RowParts<T> parts_out(const Lines<T>& a, std::int64_t line) {
  return {&a.out[line * a.out_distance].re, 2 * a.out_distance, 2 * a.out_stride, a.inverse, a.factor};
}

/// Transforms the lines of a pass, neighbours of a sheet at once.
template <class T>
class Groups {
 public:
  Groups(Context& ctx, const Pass<T>& pass, RowWay way)
      : pass_(pass),
        transform_(ctx, pass.n, pass.batch, way),
        together_(transform_.together()),
        per_sheet_((pass.batch + together_ - 1) / together_) {}
  std::int64_t count() const { return per_sheet_ * pass_.sheets(); }
  /// Numbers of one, and of the scratch that it takes.
  std::int64_t numbers() const { return together_ * pass_.n; }
  std::int64_t scratch() const { return transform_.scratch(); }
  void operator()(std::int64_t group, Complex<T>* scratch) const {
    const std::int64_t line = group % per_sheet_ * together_;
    transform_(pass_.sheet(group / per_sheet_), line, std::min(together_, pass_.batch - line), scratch);
  }

 private:
  const Pass<T>& pass_;
  RowTransform<T> transform_;
  std::int64_t together_, per_sheet_;
};

/// The same of all groups, one after the other.
template <class T>
void transform_groups(Context& ctx, const Pass<T>& pass, RowWay way) {
  const Groups<T> groups(ctx, pass, way);
  auto* scratch = ctx.scratch<Complex<T>>(groups.scratch());
  for (std::int64_t group = 0; group < groups.count(); ++group) groups(group, scratch);
}
/// The same of all groups, shared out among the threads.
template <class T>
void share_groups(Context& ctx, const Pass<T>& pass) {
  const Groups<T> groups(ctx, pass, RowWay::in_lanes);
  share_rows<T>(ctx, groups.numbers(), groups.count(), 1, groups.scratch(),
                [&](std::int64_t group, std::int64_t, Complex<T>* scratch) { groups(group, scratch); });
}

}  // namespace tandem
