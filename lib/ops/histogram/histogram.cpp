#include "tandem/histogram.h"

#include <fmt/format.h>

#include <cmath>

#include "lib/core/call.h"
#include "lib/ops/histogram/contract.h"

namespace tandem::detail {
namespace {

/// What both kinds of bins ask of their arrays.
void check_arrays(Context& ctx, Type type, ConstMemory in, Memory counts) {
  const std::size_t size = size_of(type);
  require::array(ctx, Histogram::name, "in", in.data, in.size, size);
  if (counts.size < 1 || counts.size > kMostBins) {
    throw InvalidArgument(
        fmt::format("histogram: size of 'counts' is {}, a count for each bin; it must be from 1 to {}",
                    counts.size, kMostBins));
  }
  require::array(ctx, Histogram::name, "counts", counts.data, counts.size, sizeof(std::int64_t));
  require::overlap(Histogram::name, in.data, static_cast<std::size_t>(in.size) * size, counts.data,
                   static_cast<std::size_t>(counts.size) * sizeof(std::int64_t), false, "in", "counts");
}

template <class T, class Limit>
void check_limits(Limit lower, Limit upper, std::int64_t bins) {
  for (const auto& [name, limit] : {std::pair{"lower", lower}, {"upper", upper}}) {
    if constexpr (std::is_integral_v<T>) {
      constexpr std::int64_t kLeast = std::numeric_limits<T>::min();
      constexpr std::int64_t kMost = std::int64_t{std::numeric_limits<T>::max()} + 1;
      if (limit < kLeast || limit > kMost) {
        throw InvalidArgument(fmt::format("histogram: '{}' is {}; for {} it must be from {} to {}", name,
                                          limit, TypeTraits<T>::name, kLeast, kMost));
      }
    } else if (!std::isfinite(limit)) {
      throw InvalidArgument(fmt::format("histogram: '{}' is {}; it must be finite", name, limit));
    }
  }
  if (!(lower < upper))
    throw InvalidArgument(
        fmt::format("histogram: 'lower' is {}; it must be below 'upper', {}", lower, upper));
  if constexpr (!std::is_integral_v<T>) {
    if (!std::isfinite(upper - lower)) {
      throw InvalidArgument(fmt::format("histogram: from 'lower', {}, to 'upper', {}, is more than {} holds",
                                        lower, upper, TypeTraits<T>::name));
    }
    if (!std::isfinite(EvenBins<T>(lower, upper, bins).scale)) {
      throw InvalidArgument(fmt::format(
          "histogram: from 'lower', {}, to 'upper', {}, is too little for {} bins", lower, upper, bins));
    }
  }
}

}  // namespace

void histogram_even(Context& ctx, Type type, ConstMemory in, const void* lower, const void* upper,
                    Memory counts, const Options& options) {
  public_call(ctx, [&] {
    check_arrays(ctx, type, in, counts);
    for_case<Histogram>({type, OperatorId::none}, [&]<class C>() {
      using T = typename C::T;
      using Limit = bin_limit_t<T>;
      const Limit low = *static_cast<const Limit*>(lower), high = *static_cast<const Limit*>(upper);
      check_limits<T>(low, high, counts.size);
      const EvenBins<T> even(low, high, counts.size);
      call<Histogram, C>(ctx,
                         {static_cast<const T*>(in.data), in.size, even.bins, even, nullptr,
                          static_cast<std::int64_t*>(counts.data)},
                         {in.size, counts.size, false, rounds_up(even)}, options);
    });
  });
}

void histogram_between(Context& ctx, Type type, ConstMemory in, ConstMemory bounds, Memory counts,
                       const Options& options) {
  public_call(ctx, [&] {
    check_arrays(ctx, type, in, counts);
    if (counts.size != bounds.size - 1) {
      throw InvalidArgument(
          fmt::format("histogram: size of 'counts' is {}; it must be {}, the number of bins", counts.size,
                      bounds.size - 1));
    }
    for_case<Histogram>({type, OperatorId::none}, [&]<class C>() {
      using T = typename C::T;
      using Limit = bin_limit_t<T>;
      require::array(ctx, Histogram::name, "bounds", bounds.data, bounds.size, sizeof(Limit));
      call<Histogram, C>(ctx,
                         {static_cast<const T*>(in.data),
                          in.size,
                          static_cast<std::int32_t>(counts.size),
                          {},
                          static_cast<const Limit*>(bounds.data),
                          static_cast<std::int64_t*>(counts.data)},
                         {in.size, counts.size, true}, options);
    });
  });
}

void check_bin_bounds(Type type, ConstMemory bounds) {
  if (bounds.size < 2 || bounds.size > kMostBins + 1) {
    throw InvalidArgument(
        fmt::format("BinBounds: there are {} bounds; there must be from 2 to {}, one more than bins",
                    bounds.size, kMostBins + 1));
  }
  for_case<Histogram>({type, OperatorId::none}, [&]<class C>() {
    const auto* bound = static_cast<const typename C::Args::Limit*>(bounds.data);
    for (std::int64_t i = 0; i < bounds.size; ++i) {
      if (bound[i] != bound[i])
        throw InvalidArgument(fmt::format("BinBounds: bound {} is {}; it must be a number", i, bound[i]));
      if (i > 0 && !(bound[i - 1] < bound[i])) {
        throw InvalidArgument(
            fmt::format("BinBounds: bound {} is {}; it must be above {}", i, bound[i], bound[i - 1]));
      }
    }
  });
}

}  // namespace tandem::detail
