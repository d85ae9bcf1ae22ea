#pragma once
// histogram: how many elements fall in each bin, of even bins over a range or of bins between given edges.

#include <cstdint>
#include <span>
#include <type_traits>

#include "tandem/array.h"
#include "tandem/options.h"
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
template <Viewable In, Viewable Counts>
void histogram(Context& ctx, const In& in, const BinEdges<element_of<const In>>& edges, Counts&& counts,
               const Options& options = {}) {
  detail::check_histogram_types<const In, Counts>();
  detail::histogram_between(ctx, type_of<element_of<const In>>, detail::const_memory(in),
                            detail::const_memory(edges.edges()), detail::memory(counts), options);
}

}  // namespace tandem
