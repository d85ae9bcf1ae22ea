#include "lib/harness/closed_form.h"

#include <fmt/format.h>

#include <algorithm>

#include "lib/harness/random_sequence.h"

namespace tandem {

template <class T>
void fill_by_form([[maybe_unused]] Context& ctx, T* values, std::int64_t n, const PlacedForm<T>& form) {
#ifdef TANDEM_HAS_DEVICE
  if (ctx.place() == Place::device) return detail::fill_on_device(ctx, values, n, form.view());
#endif
  const FormView<T> f = form.view();
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) values[i] = f(i);
}

template <class View>
Verdict check_by_view(Context& ctx, const typename View::Value* values, std::int64_t n, const View& view,
                      double allowed) {
  std::uint64_t count = 0, first = ~count;
#ifdef TANDEM_HAS_DEVICE
  if (ctx.place() == Place::device) {
    const Mismatches found = detail::check_on_device(ctx, values, n, view, allowed);
    count = found.count, first = found.first;
  }
#endif
  if (ctx.place() == Place::host) {
#pragma omp parallel for schedule(static) reduction(+ : count) reduction(min : first)
    for (std::int64_t i = 0; i < n; ++i) {
      if (!mismatch(values[i], view(i), allowed)) continue;
      ++count;
      first = std::min(first, static_cast<std::uint64_t>(i));
    }
  }
  if (count == 0) return {};
  return Verdict::wrong(fmt::format("{} of {} elements are wrong, the first is [{}]", count, n, first),
                        static_cast<std::int64_t>(first));
}

#define TANDEM_ROW(T)                                                                      \
  template TANDEM_API void fill_by_form(Context&, T*, std::int64_t, const PlacedForm<T>&); \
  template TANDEM_API Verdict check_by_view(Context&, const T*, std::int64_t, const FormView<T>&, double);
TANDEM_FORM_TYPES(TANDEM_ROW)
#undef TANDEM_ROW
#define TANDEM_ROW(Words, Distribution)                                                                \
  template TANDEM_API Verdict check_by_view(Context&, const SequenceView<Words, Distribution>::Value*, \
                                            std::int64_t, const SequenceView<Words, Distribution>&, double);
TANDEM_SEQUENCES(TANDEM_ROW)
#undef TANDEM_ROW

}  // namespace tandem
