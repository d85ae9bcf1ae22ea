#include "tandem/histogram.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "lib/core/call.h"
#include "lib/ops/histogram/contract.h"

namespace tandem::detail {
namespace {

/// What all kinds of bins ask of their arrays.
void check_arrays(Context& ctx, const AnyArray& in, Memory counts) {
  require::array(ctx, Histogram::name, "in", in.data, in.size, in.element_bytes, in.alignment);
  if (counts.size < 1 || counts.size > kMostBins) {
    throw InvalidArgument(
        fmt::format("histogram: size of 'counts' is {}, a count for each bin; it must be from 1 to {}",
                    counts.size, kMostBins));
  }
  require::array(ctx, Histogram::name, "counts", counts.data, counts.size, sizeof(std::int64_t));
  require::overlap(Histogram::name, in.data, static_cast<std::size_t>(in.size) * in.element_bytes,
                   counts.data, static_cast<std::size_t>(counts.size) * sizeof(std::int64_t), false, "in",
                   "counts");
}

template <class T, class Edge>
void check_limits(Edge lower, Edge upper, std::int64_t bins) {
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

void require_edge_count(std::int64_t edges) {
  if (edges < 2 || edges > kMostBins + 1) {
    throw InvalidArgument(
        fmt::format("histogram: size of 'edges' is {}; it must be from 2 to {}, one more than there are bins",
                    edges, kMostBins + 1));
  }
}

}  // namespace

void histogram_even(Context& ctx, Type type, ConstMemory in, const void* lower, const void* upper,
                    Memory counts, const Options& options) {
  public_call(ctx, [&] {
    check_arrays(ctx, {in.data, in.size, size_of(type), 0}, counts);
    for_case<Histogram>({type, OperatorId::none}, [&]<class C>() {
      using T = typename C::T;
      using Edge = bin_edge_t<T>;
      const Edge low = *static_cast<const Edge*>(lower), high = *static_cast<const Edge*>(upper);
      check_limits<T>(low, high, counts.size);
      const EvenBins<T> even(low, high, counts.size);
      const typename C::Args args{static_cast<const T*>(in.data),         in.size, even.bins, even, nullptr,
                                  static_cast<std::int64_t*>(counts.data)};
      call<Histogram, C>(ctx, args, {in.size, args.slots(), false, rounds_up(even)}, options);
    });
  });
}

void histogram_between(Context& ctx, Type type, ConstMemory in, ConstMemory edges, Memory counts,
                       const Options& options) {
  public_call(ctx, [&] {
    check_arrays(ctx, {in.data, in.size, size_of(type), 0}, counts);
    if (counts.size != edges.size - 1) {
      throw InvalidArgument(
          fmt::format("histogram: size of 'counts' is {}; it must be {}, the number of bins", counts.size,
                      edges.size - 1));
    }
    for_case<Histogram>({type, OperatorId::none}, [&]<class C>() {
      using T = typename C::T;
      using Edge = bin_edge_t<T>;
      require::array(ctx, Histogram::name, "edges", edges.data, edges.size, sizeof(Edge));
      require::overlap(Histogram::name, edges.data, static_cast<std::size_t>(edges.size) * sizeof(Edge),
                       counts.data, static_cast<std::size_t>(counts.size) * sizeof(std::int64_t), false,
                       "edges", "counts");
      const typename C::Args args{
          static_cast<const T*>(in.data),         in.size,
          static_cast<std::int32_t>(counts.size), {},
          static_cast<const Edge*>(edges.data),   static_cast<std::int64_t*>(counts.data)};
      call<Histogram, C>(ctx, args, {in.size, args.slots(), true}, options);
    });
  });
}

void check_own_histogram(Context& ctx, const AnyArray& in, const AnyArray& counts) {
  check_arrays(ctx, in, {const_cast<void*>(counts.data), counts.size});
}

void check_bin_edges(Type type, ConstMemory edges) {
  require_edge_count(edges.size);
  for_case<Histogram>({type, OperatorId::none}, [&]<class C>() {
    const auto* edge = static_cast<const typename C::Args::Edge*>(edges.data);
    for (std::int64_t i = 0; i < edges.size; ++i) {
      if (edge[i] != edge[i])
        throw InvalidArgument(fmt::format("histogram: edge {} is {}; it must be a number", i, edge[i]));
      if (i > 0 && !(edge[i - 1] < edge[i])) {
        throw InvalidArgument(
            fmt::format("histogram: edge {} is {}; it must be above {}", i, edge[i], edge[i - 1]));
      }
    }
  });
}

void check_bin_edges(Context& ctx, Type type, ConstMemory edges) {
  public_call(ctx, [&] {
    require_edge_count(edges.size);
    for_case<Histogram>({type, OperatorId::none}, [&]<class C>() {
      using Edge = typename C::Args::Edge;
      require::array(ctx, Histogram::name, "edges", edges.data, edges.size, sizeof(Edge));
      std::vector<Edge> on_host(static_cast<std::size_t>(edges.size));
      ctx.copy(on_host.data(), edges.data, on_host.size() * sizeof(Edge));
      ctx.synchronize();
      check_bin_edges(type, {on_host.data(), edges.size});
    });
  });
}

}  // namespace tandem::detail
