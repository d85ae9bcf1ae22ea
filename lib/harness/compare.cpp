#include "lib/harness/compare.h"

#include <fmt/format.h>

#include <cstring>

namespace tandem {
namespace {

template <class T>
std::string show(T value) {
  if constexpr (std::is_same_v<T, Bicyclic>)
    return fmt::format("({}, {})", value.close, value.open);
  else if constexpr (is_narrow_float<T>)
    return fmt::format("{}", static_cast<float>(value));
  else
    return fmt::format("{}", value);
}

/// error_ratio, and whether two that are equal are the same.
template <class T>
double ratio_of(T got, T want, double bound, Same same) {
  const double ratio = error_ratio(got, want, bound);
  if constexpr (std::is_floating_point_v<T> || is_narrow_float<T>) {
    if (same == Same::value || std::memcmp(&got, &want, sizeof(T)) == 0) return ratio;
    using Shown = std::conditional_t<is_narrow_float<T>, float, T>;
    const auto a = static_cast<Shown>(got), b = static_cast<Shown>(want);
    if (a == 0 && b == 0) return same == Same::digits ? 2 : std::numeric_limits<double>::infinity();
    if (same >= Same::bits && std::isnan(a) && std::isnan(b)) return 2;
  }
  return ratio;
}

}  // namespace

Verdict Verdict::wrong(std::string text, std::int64_t index) {
  return {false, std::numeric_limits<double>::infinity(), index, std::move(text)};
}

void Verdict::include(const Verdict& other) {
  const bool digits = (correct || digits_alone) && (other.correct || other.digits_alone);
  if (other.worst > worst || (correct && !other.correct)) {
    worst = other.worst;
    index = other.index;
    text = other.text;
    input = other.input;
  }
  correct = text.empty();
  digits_alone = !correct && digits;
}

template <class T>
Verdict compare(std::span<const T> got, std::span<const T> want, std::span<const double> bounds, Same same) {
  if (got.size() != want.size() || (!bounds.empty() && bounds.size() != want.size())) {
    return Verdict::wrong(fmt::format("{} results where {} are expected", got.size(), want.size()));
  }
  Verdict verdict;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double ratio = ratio_of(got[i], want[i], bounds.empty() ? 0 : bounds[i], same);
    if (!(ratio <= verdict.worst)) {
      verdict.worst = ratio;
      verdict.index = static_cast<std::int64_t>(i);
      if (std::isinf(ratio)) break;
    }
  }
  if (!(verdict.worst <= 1)) {
    const auto i = static_cast<std::size_t>(verdict.index);
    verdict.correct = false;
    verdict.digits_alone = std::isfinite(verdict.worst);
    verdict.text = fmt::format("[{}] is {}, expected {}", i, show(got[i]), show(want[i]));
    if (show(got[i]) == show(want[i])) verdict.text += ", but with other bits";
    if (!bounds.empty() && bounds[i] > 0) verdict.text += fmt::format(" ± {:.3g}", bounds[i]);
  }
  return verdict;
}

#define TANDEM_ROW(name, T, ...) \
  template TANDEM_API Verdict compare(std::span<const T>, std::span<const T>, std::span<const double>, Same);
TANDEM_ELEMENT_TYPES(TANDEM_ROW)
TANDEM_ROW(bicyclic, Bicyclic)
#undef TANDEM_ROW

}  // namespace tandem
