#pragma once
// histogram: how many elements fall in each bin, of even bins over a range or of bins between given edges.

#include <cstdint>
#include <span>
#include <type_traits>

#include "tandem/array.h"
#include "tandem/options.h"
#include "tandem/own_operators.h"
#include "tandem/types.h"

namespace tandem {

/// What edges of bins are given in, for elements of type T: for integers also one past their largest value.
template <class T>
using bin_edge_t = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;

inline constexpr std::int64_t kMostBins = 65536;

namespace detail {
/// Element types that histogram is compiled for.
template <class T>
constexpr bool has_histogram() {
  return std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::int32_t> ||
         std::is_same_v<T, std::uint32_t> || std::is_same_v<T, float> || std::is_same_v<T, double>;
}

/// lower, upper: one bin_edge_t of the element type each, in host memory; edges: in that of the context.
TANDEM_API void histogram_even(Context& ctx, Type type, ConstMemory in, const void* lower, const void* upper,
                               Memory counts, const Options& options);
TANDEM_API void histogram_between(Context& ctx, Type type, ConstMemory in, ConstMemory edges, Memory counts,
                                  const Options& options);
/// Throws InvalidArgument where these, in host memory, are no edges of bins.
TANDEM_API void check_bin_edges(Type type, ConstMemory edges);
/// The same of edges in the memory of the context, for which it waits.
TANDEM_API void check_bin_edges(Context& ctx, Type type, ConstMemory edges);

template <class In, class Counts>
constexpr void check_histogram_types() {
  static_assert(has_histogram<element_of<In>>(), "histogram takes uint8, int32, uint32, float and double");
  static_assert(std::is_same_v<element_of<Counts>, std::int64_t>, "histogram: counts must hold int64");
}
}  // namespace detail

/// Edges of bins for elements of type T, in the memory of a context: element x is in bin b if edges[b] <= x <
/// edges[b + 1]. Made once, so that calls copy nothing and can be captured in a CUDA graph.
template <class T>
class BinEdges {
  static_assert(detail::has_histogram<T>(), "histogram takes uint8, int32, uint32, float and double");

 public:
  using Edge = bin_edge_t<T>;
  /// edges: one more than there are bins, 2 to 65,537 of them, each above the one before; infinities are fine. Throws
  /// InvalidArgument (too few or too many, one that is NaN or not above the one before), OutOfMemory, DeviceError.
  BinEdges(Context& ctx, std::span<const Edge> edges) : edges_(ctx, checked(edges)) {}

  std::int64_t bins() const { return edges_.size() - 1; }
  /// In the memory of the context.
  const Array<Edge>& edges() const { return edges_; }

 private:
  static std::span<const Edge> checked(std::span<const Edge> edges) {
    detail::check_bin_edges(type_of<T>, detail::const_memory(edges));
    return edges;
  }
  Array<Edge> edges_;
};

/// counts[b] = how many elements of `in` fall in even bin b of [lower, upper), in the memory of the context, without
/// waiting for it.
///
/// in: n elements, uint8, int32, uint32, float or double; counts: int64, one for each bin, 1 to 65,536 of them. Element
/// x with lower <= x < upper is in bin ⌊(x − lower) · bins ÷ (upper − lower)⌋. For integers this is exact, whatever the
/// range. For floating point it is computed in the type of the elements as (x − lower) · scale, with scale = bins ÷
/// (upper − lower), each operation rounded by itself; what rounds up to `bins` is in the last bin. Elements outside of
/// [lower, upper) and NaN are in no bin. lower, upper: for integers int64 from the smallest value of the type to one
/// past its largest. All paths give the same counts. O(n) work; allocates nothing after the first call of a size.
/// Throws InvalidArgument (no bins or too many, lower not below upper, a limit that is NaN or infinite or beyond the
/// type, limits so far apart or so close that the scale is no number, null pointers, host memory in a device context,
/// overlap, unknown options.use), Unavailable (options.use cannot run here), OutOfMemory, DeviceError.
/// Source:  Podlozhnyuk 2007, "Histogram calculation in CUDA"; Gómez-Luna, González-Linares, Benavides, Guil 2013, "An
///          optimized approach to histogram computation on GPU".
template <Viewable In, Viewable Counts>
void histogram(Context& ctx, const In& in, std::type_identity_t<bin_edge_t<element_of<const In>>> lower,
               std::type_identity_t<bin_edge_t<element_of<const In>>> upper, Counts&& counts,
               const Options& options = {}) {
  detail::check_histogram_types<const In, Counts>();
  detail::histogram_even(ctx, type_of<element_of<const In>>, detail::const_memory(in), &lower, &upper,
                         detail::memory(counts), options);
}

/// The same with bins between edges: element x is in bin b if edges[b] <= x < edges[b + 1]. counts: as many as bins.
template <Viewable In, class T, Viewable Counts>
void histogram(Context& ctx, const In& in, const BinEdges<T>& edges, Counts&& counts,
               const Options& options = {}) {
  detail::check_histogram_types<const In, Counts>();
  static_assert(std::is_same_v<T, element_of<const In>>,
                "histogram: edges must be those of the elements' type");
  detail::histogram_between(ctx, type_of<element_of<const In>>, detail::const_memory(in),
                            detail::const_memory(edges.edges()), detail::memory(counts), options);
}

// --- bins by a functor of the user's own

namespace detail {
TANDEM_API void check_own_histogram(Context& ctx, const AnyArray& in, const AnyArray& counts);

template <class T>
inline constexpr bool is_bin_edges = false;
template <class T>
inline constexpr bool is_bin_edges<BinEdges<T>> = true;

/// As histogram/custom/threads: pieces have tables of their own, which are added up.
template <class T, class B>
void own_histogram_on_host(Context& ctx, const View<const T>& in, const B& bin_of,
                           const View<std::int64_t>& counts) {
  constexpr std::int64_t kMostTables = 64;
  const CallScope call(ctx, "histogram/custom/threads", Place::host);
  const std::int64_t bins = counts.size, worth = kOwnChunk + 4 * bins;  // elements, to fill a table for
  const std::int64_t tables = in.size / worth < kMostTables ? in.size / worth + 1 : kMostTables;
  auto* table = ctx.scratch<std::int64_t>(tables * bins);
  const std::int64_t part = (in.size + tables - 1) / tables;
  parallel_for(tables, {}, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t t = begin; t < end; ++t) {
      std::int64_t* const mine = table + t * bins;
      for (std::int64_t b = 0; b < bins; ++b) mine[b] = 0;
      for (std::int64_t i = t * part; i < in.size && i < (t + 1) * part; ++i) {
        const auto bin = static_cast<std::int64_t>(bin_of(in.data[i]));
        if (0 <= bin && bin < bins) ++mine[bin];
      }
    }
  });
  for (std::int64_t b = 0; b < bins; ++b) counts.data[b] = 0;
  for (std::int64_t t = 0; t < tables; ++t) {
    for (std::int64_t b = 0; b < bins; ++b) counts.data[b] += table[t * bins + b];
  }
}

template <class Places, class T, class B>
void own_histogram(Context& ctx, const View<const T>& in, const B& bin_of, const View<std::int64_t>& counts) {
  const Lending lending(ctx);
  translated([&] {
    check_own_histogram(ctx, any_array(in), any_array(counts));
    on_place<Places>(
        ctx, "histogram", [&](auto where) { own_histogram_by_kernel(where, ctx, in, bin_of, counts); },
        [&] { own_histogram_on_host(ctx, in, bin_of, counts); });
  });
}
}  // namespace detail

/// counts[b] = for how many elements bin_of(x) is b, in the memory of the context, without waiting for it.
///
/// bin_of: any function object that makes a whole number of an element; an element whose number is no bin is in none. in: n
/// elements of any type; counts: int64, one for each bin, 1 to 65,536 of them. On the host several threads call bin_of at once;
/// what it throws passes through, and counts is then as it was. For a context of a device the program includes
/// <tandem/functors.cuh>. One implementation on each place, hence no options. O(n) work. Throws InvalidArgument (no bins or too
/// many, null pointers, host memory in a device context, overlap), Unavailable (a context of a device without functors.cuh),
/// OutOfMemory, DeviceError.
template <Viewable In, class B, Viewable Counts>
requires(!detail::is_bin_edges<B>) void histogram(Context& ctx, const In& in, const B& bin_of,
                                                  Counts&& counts) {
  using T = element_of<const In>;
  constexpr bool kBin = requires(const T& x) { static_cast<std::int64_t>(bin_of(x)); };
  static_assert(kBin, "histogram: bin_of(x) must take an element and give the number of its bin");
  constexpr bool kCounts = std::is_same_v<element_of<Counts>, std::int64_t>;
  static_assert(kCounts, "histogram: counts must hold int64");
  if constexpr (kBin && kCounts)
    detail::own_histogram<detail::places_of<B>>(ctx, View<const T>{view(in).data, view(in).size}, bin_of,
                                                View<std::int64_t>{view(counts).data, view(counts).size});
}

}  // namespace tandem
