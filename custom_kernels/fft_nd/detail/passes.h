#pragma once
// A transform along all axes is one along each, one after the other: passes over all lines of an axis.

#include <algorithm>

#include "lib/ops/fft_nd/contract.h"

namespace tandem {

/// Lines that lie at one distance from each other, as the parts of fft's steps take rows.
template <class T>
struct Lines {
  const Complex<T>* in;
  Complex<T>* out;  // may be `in` where strides and distances are equal
  std::int64_t n, batch;
  std::int64_t in_stride, out_stride;      // along a line
  std::int64_t in_distance, out_distance;  // to the next one
  bool inverse;
  T factor;

  TANDEM_HD Complex<T> load(std::int64_t line, std::int64_t j) const {
    const Complex<T> x = in[line * in_distance + j * in_stride];
    return inverse ? swapped(x) : x;
  }
  TANDEM_HD void store(std::int64_t line, std::int64_t k, Complex<T> x) const {
    out[line * out_distance + k * out_stride] = factor * (inverse ? swapped(x) : x);
  }
};

/// All lines along one axis of all grids: sheets of lines at one distance, that of an axis with a small stride, or of the grids.
template <class T>
struct Pass : Lines<T> {
  struct Step {
    std::int64_t extent, in_stride, out_stride;
  } step[2];  // from sheet to sheet, the faster first

  TANDEM_HD std::int64_t sheets() const { return step[0].extent * step[1].extent; }
  TANDEM_HD Lines<T> sheet(std::int64_t i) const {
    const std::int64_t first = i % step[0].extent, second = i / step[0].extent;
    Lines<T> lines = *this;
    lines.in += first * step[0].in_stride + second * step[1].in_stride;
    lines.out += first * step[0].out_stride + second * step[1].out_stride;
    return lines;
  }
};

/// The lines of all sheets, one behind the other.
template <class T>
struct AllLines {
  Pass<T> pass;
  std::int64_t n, batch;
  explicit AllLines(const Pass<T>& p) : pass(p), n(p.n), batch(p.batch * p.sheets()) {}

  TANDEM_HD Complex<T> load(std::int64_t line, std::int64_t j) const { return alone(line).load(0, j); }
  TANDEM_HD void store(std::int64_t line, std::int64_t k, Complex<T> x) const { alone(line).store(0, k, x); }
  /// A line as the first of its own.
  TANDEM_HD Lines<T> alone(std::int64_t line) const {
    Lines<T> one = pass.sheet(line / pass.batch);
    one.in += line % pass.batch * pass.in_distance;
    one.out += line % pass.batch * pass.out_distance;
    return one;
  }

  /// The lines from `first` on: divisions are done once, as long as lines are of first's sheet.
  struct From {
    const AllLines& all;
    std::int64_t first, line;  // line: of the sheet
    Lines<T> sheet;

    TANDEM_HD Lines<T> alone(int i) const {
      if (line + i >= all.pass.batch) return all.alone(first + i);
      Lines<T> one = sheet;
      one.in += (line + i) * sheet.in_distance;
      one.out += (line + i) * sheet.out_distance;
      return one;
    }
  };
  TANDEM_HD From from(std::int64_t first) const {
    return {*this, first, first % pass.batch, pass.sheet(first / pass.batch)};
  }
};

/// The pass along an axis, from one layout to another.
template <class Args, class T = decltype(Args::factor)>
Pass<T> pass_along(const Args& a, std::size_t axis, const Complex<T>* in, const GridLayout& from,
                   Complex<T>* out, const GridLayout& to, T factor) {
  using Step = typename Pass<T>::Step;
  Step others[3] = {{a.batch, from.distance, to.distance}};
  for (std::size_t other = 0, i = 1; other < 3; ++other) {
    if (other != axis) others[i++] = {a.extents[other], from.strides[other], to.strides[other]};
  }
  // Lines next to each other belong together; steps of one line lead nowhere.
  std::ranges::sort(others, {}, [](const Step& s) { return std::pair(s.extent == 1, s.out_stride); });
  const auto& [lines, faster, slower] = others;
  return {{in, out, a.extents[axis], lines.extent, from.strides[axis], to.strides[axis], lines.in_stride,
           lines.out_stride, a.inverse, factor},
          {faster, slower}};
}

/// Calls work(pass) along each axis longer than 1, and along one at least: the first pass reads `in`, those behind it transform
/// `out` in place, and the last one multiplies.
template <class Args, class Work, class T = decltype(Args::factor)>
void for_each_axis(const Args& a, const Work& work) {
  std::size_t last = 0;  // axis 0 is the last pass, unless it is of one number and another one is not
  if (a.extents[0] == 1) last = a.extents[1] > 1 ? 1 : 2;
  bool first = true;
  for (std::size_t axis = 3; axis-- > last;) {
    if (axis != last && a.extents[axis] == 1) continue;
    work(pass_along(a, axis, first ? a.in : a.out, first ? a.from : a.to, a.out, a.to,
                    axis == last ? a.factor : T(1)));
    first = false;
  }
}

}  // namespace tandem
