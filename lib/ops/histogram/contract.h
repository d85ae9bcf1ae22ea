#pragma once
// histogram: how many elements fall in each bin, of even bins over a range or of bins between given edges.

#include <array>
#include <cmath>
#include <cstdint>

#include "lib/core/registry.h"
#include "tandem/histogram.h"

namespace tandem {

/// Even bins over [lower, upper). Every path asks these, so that all agree.
template <class T, bool = std::is_integral_v<T>>
struct EvenBins {
  T lower, upper, scale;  // scale: bins per unit
  std::int32_t bins;

  EvenBins() = default;
  EvenBins(T low, T high, std::int64_t count)
      : lower(low), upper(high), scale(static_cast<T>(count) / (high - low)), bins(static_cast<int>(count)) {}

  /// The bin of x; `bins` where it is in none. A product of a difference: nothing that a compiler could fuse.
  TANDEM_HD std::int32_t operator()(T x) const {
    const bool inside = (lower <= x) & (x < upper);
    const auto bin = static_cast<std::int32_t>(((inside ? x : lower) - lower) * scale);
    return inside ? (bin < bins ? bin : bins - 1) : bins;
  }
};

template <class T>
struct EvenBins<T, true> {
  std::uint32_t lower, last;  // modulo 2^32; last: of the numbers in the range, counted from 0
  std::uint64_t scale;        // bins per number, rounded down, with 32 bits behind the point
  std::int32_t bins;

  EvenBins() = default;
  EvenBins(std::int64_t low, std::int64_t high, std::int64_t count)
      : lower(static_cast<std::uint32_t>(low)),
        last(static_cast<std::uint32_t>(high - low - 1)),
        scale((static_cast<std::uint64_t>(count) << 32) / static_cast<std::uint64_t>(high - low)),
        bins(static_cast<int>(count)) {}

  std::int64_t low() const { return static_cast<T>(lower); }
  std::int64_t high() const { return low() + last + 1; }

  /// ⌊at · bins ÷ range⌋ without a division: `scale` is less than 2^−32 too small and `at` less than 2^32, so that the
  /// estimate is right or one too low. All products stay below 2^49.
  TANDEM_HD std::int32_t operator()(T x) const {
    const std::uint32_t at =
        static_cast<std::uint32_t>(x) - lower;  // what is below the range wraps to beyond it
    if (at > last) return bins;
    const std::uint64_t range = std::uint64_t{last} + 1, wide = at;
    const std::uint64_t bin = wide * scale >> 32;
    return static_cast<std::int32_t>(bin +
                                     ((bin + 1) * range <= wide * static_cast<std::uint64_t>(bins) ? 1 : 0));
  }
};

/// Whether a value below the upper limit rounds up to bin `bins`. If any, then the largest: rounding keeps the order.
template <class T>
bool rounds_up(const EvenBins<T>& even) {
  if constexpr (std::is_integral_v<T>)
    return false;
  else
    return (std::nextafter(even.upper, even.lower) - even.lower) * even.scale >= static_cast<T>(even.bins);
}

/// The bin b with edges[b] <= x < edges[b + 1]; `bins` where there is none. The same number of steps for every x.
template <class Edges, class Edge>
TANDEM_HD std::int32_t bin_between(const Edges& edges, std::int32_t bins, Edge x) {
  if (!(edges[0] <= x && x < edges[bins])) return bins;
  std::int32_t bin = 0;
  for (std::int32_t left = bins; left > 1;) {  // it is in [bin, bin + left)
    const std::int32_t half = left / 2;
    bin = edges[bin + half] <= x ? bin + half : bin;
    left -= half;
  }
  return bin;
}

struct Histogram {
  static constexpr const char* name = "histogram";
  static constexpr const char* meaning = "how many elements fall in each bin";
  static constexpr std::array<std::string_view, 4> variants = {"even", "even, many bins", "edges",
                                                               "edges, many bins"};

  struct Shape {
    std::int64_t n, slots;   // slots: see Args
    bool between = false;    // edges, not even bins
    bool rounds_up = false;  // of even bins: see rounds_up()

    /// More than a table for each lane of a warp has room for.
    bool many() const { return slots > 4096; }
    std::size_t variant() const { return 2 * between + many(); }
  };

  template <class Element>
  struct Case {
    using T = Element;
    static constexpr CaseId id{type_of<T>, OperatorId::none};
    struct Args {
      using Edge = bin_edge_t<T>;
      const T* in;  // n elements
      std::int64_t n;
      std::int32_t bins;
      EvenBins<T> even;      // where there are no edges
      const Edge* edges;     // bins + 1, ascending; null: even bins
      std::int64_t* counts;  // one for each bin

      /// The bin of x; `bins` where it is in none.
      TANDEM_HD std::int32_t bin(T x) const {
        return edges ? bin_between(edges, bins, static_cast<Edge>(x)) : even(x);
      }

      // Tables count slots. Those of bytes are their values, whose bins are looked up when all are counted; others are
      // the bins.
      static constexpr bool kByValue = sizeof(T) == 1;
      TANDEM_HD std::int32_t slots() const { return kByValue ? 256 : bins; }
      TANDEM_HD std::int32_t slot(T x) const { return kByValue ? static_cast<std::int32_t>(x) : bin(x); }
      TANDEM_HD std::int32_t bin_of(std::int32_t slot) const {
        return kByValue ? bin(static_cast<T>(slot)) : slot;
      }
    };
  };
  using Cases =
      CaseList<Case<float>, Case<double>, Case<std::int32_t>, Case<std::uint32_t>, Case<std::uint8_t>>;

  template <class C>
  static bool done_without_work(const typename C::Args& a, Context& ctx) {
    if (a.n == 0) ctx.fill(a.counts, 0, static_cast<std::size_t>(a.bins) * sizeof *a.counts);
    return a.n == 0;
  }
};

}  // namespace tandem
