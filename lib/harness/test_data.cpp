#include "lib/harness/test_data.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace tandem {

std::string_view name(Values values) {
  constexpr std::array<std::string_view, kMovedValuesCount> kNames = {
      "exact", "real", "cancelling", "zeros", "ones", "extreme", "nan", "infinity", "denormal", "bits"};
  return kNames[static_cast<std::size_t>(values)];
}

namespace {

// About 48 elements of n differ from ±1, so that no grouping of the factors leaves the range of a float.
double balanced_factor(std::uint64_t bits, std::uint64_t n, bool floating) {
  const double sign = bits & 1 ? 1 : -1;
  if ((bits >> 8) % std::max<std::uint64_t>(1, n / 48) != 0) return sign;
  return sign * (!floating || bits & 2 ? 2 : 0.5);
}

// Nearly all true for logical_and, nearly all false for logical_or: the result changes somewhere inside.
double logical_operand(OperatorId op, std::uint64_t bits, std::uint64_t n) {
  const bool rare = (bits >> 8) % std::max<std::uint64_t>(1, n) < 2;
  return (op == OperatorId::logical_and) != rare ? 1 + static_cast<double>(bits % 5) : 0;
}

template <class T>
T element(OperatorId op, Values values, std::uint64_t seed, std::uint64_t i, std::uint64_t n) {
  const std::uint64_t bits = random_bits(seed, i);
  const double unit = static_cast<double>(bits >> 11) * 0x1p-53;
  const bool logical = op == OperatorId::logical_and || op == OperatorId::logical_or;
  const auto as = [](double value) {
    if constexpr (is_narrow_float<T>)
      return T(static_cast<float>(value));
    else if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<std::int64_t>(value));  // negative values wrap
    else
      return static_cast<T>(value);
  };

  if (values == Values::bits) {
    std::uint64_t word = bits;
    if constexpr (!std::is_integral_v<T>) {
      const std::uint64_t kind = random_bits(seed, ~i) % 4;
      const T infinity = as(std::numeric_limits<double>::infinity());
      std::uint64_t exponent = 0;
      std::memcpy(&exponent, &infinity, sizeof(T));
      if (kind == 0) return as(-0.0);
      if (kind == 1) word |= exponent;  // NaN
    }
    T value;
    std::memcpy(&value, &word, sizeof(T));
    return value;
  }
  if constexpr (std::is_integral_v<T>) {
    if (values == Values::extreme && !logical) return static_cast<T>(bits);
  } else {
    const std::uint64_t special = random_bits(seed ^ 0xA5A5, 0) % n;
    if (i == special && values == Values::nan) return as(std::nan(""));
    if (i == special && values == Values::infinity) return as(std::numeric_limits<double>::infinity());
    if (values == Values::denormal && !logical) {
      const double tiny = static_cast<double>(std::numeric_limits<T>::denorm_min());
      if (op == OperatorId::multiplies) return as(i == special ? tiny : bits & 1 ? 1 : -1);
      return as(tiny * std::floor(unit * 17 - 8));
    }
    if (values == Values::extreme && (op == OperatorId::minimum || op == OperatorId::maximum)) {
      const double top = static_cast<double>(std::numeric_limits<T>::max());
      return as(bits & 1 ? top : -top);
    }
  }
  if (values == Values::zeros) return as(bits & 1 ? -0.0 : 0.0);
  if (values == Values::ones) return as(1);
  if (logical) return as(logical_operand(op, bits, n));

  const bool inexact = TypeTraits<T>::floating && (values == Values::real || values == Values::cancelling);
  if (op == OperatorId::multiplies) {
    return as(inexact ? 1 + (unit - 0.5) / 64 : balanced_factor(bits, n, TypeTraits<T>::floating));
  }
  // Of so many halves that no sum of some leaves their range.
  const double large = std::is_same_v<T, half> ? 16 : 1000;
  if (inexact && values == Values::cancelling) return as((bits & 1 ? large : -large) + unit);
  if (inexact) return as(unit * 2 - 1);
  return as(std::floor(unit * 17) - 8);
}

}  // namespace

std::int64_t Draws::below(std::int64_t n) {
  return static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(n));
}

std::int64_t Draws::size(std::int64_t least, std::int64_t most) {
  most = std::max(least, most);
  const double unit = static_cast<double>(bits() >> 11) * 0x1p-53;
  const double low = std::log2(static_cast<double>(least)), high = std::log2(static_cast<double>(most) + 1);
  const auto n = static_cast<std::int64_t>(std::exp2(low + unit * (high - low)));
  if (!one_in(4)) return std::clamp(n, least, most);
  const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(n)));
  return std::clamp(n < 64 || one_in(2) ? power : n / 64 * 64, least, most);
}

template <class T>
void fill_random(std::span<T> out, OperatorId op, Values values, std::uint64_t seed) {
  const auto n = static_cast<std::int64_t>(out.size());
#pragma omp parallel for schedule(static) if (n > 65536)
  for (std::int64_t i = 0; i < n; ++i) {
    const auto u = static_cast<std::uint64_t>(i);
    if constexpr (std::is_same_v<T, Bicyclic>) {
      const std::uint64_t bits = random_bits(seed, u);
      out[static_cast<std::size_t>(i)] = {static_cast<std::uint32_t>(bits % 4),
                                          static_cast<std::uint32_t>(bits / 4 % 4)};
    } else {
      out[static_cast<std::size_t>(i)] = element<T>(op, values, seed, u, static_cast<std::uint64_t>(n));
    }
  }
}

#define TANDEM_ROW(name, T, ...) \
  template TANDEM_API void fill_random(std::span<T>, OperatorId, Values, std::uint64_t);
TANDEM_ELEMENT_TYPES(TANDEM_ROW)
#undef TANDEM_ROW
template void fill_random(std::span<Bicyclic>, OperatorId, Values, std::uint64_t);

}  // namespace tandem
