#include "lib/harness/closed_form.h"

#include <fmt/format.h>

#include <algorithm>

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

template <class T>
Verdict check_by_form(Context& ctx, const T* values, std::int64_t n, const PlacedForm<T>& form,
                      double allowed) {
  std::uint64_t count = 0, first = ~count;
#ifdef TANDEM_HAS_DEVICE
  if (ctx.place() == Place::device) {
    const Mismatches found = detail::check_on_device(ctx, values, n, form.view(), allowed);
    count = found.count, first = found.first;
  }
#endif
  if (ctx.place() == Place::host) {
    const FormView<T> f = form.view();
#pragma omp parallel for schedule(static) reduction(+ : count) reduction(min : first)
    for (std::int64_t i = 0; i < n; ++i) {
      if (!mismatch(values[i], f(i), allowed)) continue;
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
  template TANDEM_API Verdict check_by_form(Context&, const T*, std::int64_t, const PlacedForm<T>&, double);
TANDEM_FORM_TYPES(TANDEM_ROW)
#undef TANDEM_ROW

}  // namespace tandem
