#pragma once
// Operators of users for reduce, scan and their forms, with their serial loops, for the host and for kernels.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "tandem/tandem.h"

namespace tandem {
// What a program of both kinds of files must see to: templates that call Tandem are others in each.
#ifdef __CUDACC__
inline namespace for_kernels {
#else
inline namespace for_host {
#endif

/// The greatest element and the first place that has it; no identity.
struct ArgMax {
  struct Place {
    float value;
    std::int64_t i;
    friend bool operator==(const Place&, const Place&) = default;
  };
  TANDEM_HD Place lift(float x, std::int64_t i) const { return {x, i}; }
  TANDEM_HD Place operator()(Place a, Place b) const { return b.value > a.value ? b : a; }
};

/// Count, mean and sum of squared differences from the mean (Welford 1962; Chan, Golub, LeVeque 1979).
struct Moments {
  double n = 0, mean = 0, m2 = 0;  // a default constructor that is not trivial
};
struct Welford {
  TANDEM_HD Moments identity() const { return {}; }
  TANDEM_HD Moments lift(double x) const { return {1, x, 0}; }
  TANDEM_HD Moments operator()(const Moments& a, const Moments& b) const {
    const double n = a.n + b.n, delta = b.mean - a.mean;
    if (n == 0) return a;
    return {n, a.mean + delta * b.n / n, a.m2 + b.m2 + delta * delta * a.n * b.n / n};
  }
};

struct Complex {
  float re, im;
  friend bool operator==(const Complex&, const Complex&) = default;
};
struct ComplexProduct {
  template <class T>
  TANDEM_HD static T identity() {
    return {1, 0};
  }
  TANDEM_HD Complex operator()(Complex a, Complex b) const {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};

/// 2×2 matrices of integers that wrap: the order of factors matters, and every rounding is exact.
struct Matrix {
  std::uint32_t a, b, c, d;
  friend bool operator==(const Matrix&, const Matrix&) = default;
};
struct MatrixProduct {
  TANDEM_HD Matrix operator()(const Matrix& x, const Matrix& y) const {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
  }
};

/// x ↦ a·x + b modulo a number that is known at run time, one after the other; elements are smaller than what they become.
struct Step {
  std::uint16_t a, b;
};
struct Affine {
  std::uint64_t a, b;
  friend bool operator==(const Affine&, const Affine&) = default;
};
struct Composition {
  std::uint64_t modulus;
  TANDEM_HD Affine identity() const { return {1, 0}; }
  TANDEM_HD Affine lift(Step s) const { return {s.a % modulus, s.b % modulus}; }
  TANDEM_HD Affine operator()(Affine first, Affine then) const {
    return {first.a * then.a % modulus, (then.a * first.b + then.b) % modulus};
  }
};

/// A type of 3 bytes, of which the last counts: no power of two, no identity.
struct Rgb3 {
  std::uint8_t r, g, b;
  friend bool operator==(const Rgb3&, const Rgb3&) = default;
};
struct RightMost {
  TANDEM_HD Rgb3 operator()(Rgb3 a, Rgb3 b) const { return {std::uint8_t(a.r + b.r), b.g, a.b}; }
};

/// Both operands as a pair of elements that differ from place to place.
inline std::vector<float> floats(std::size_t n) {
  std::vector<float> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>((i * 7919 + 13) % 9973) - 4000;
  return x;
}
inline std::vector<double> doubles(std::size_t n) {
  const std::vector<float> x = floats(n);
  return {x.begin(), x.end()};
}
inline std::vector<Complex> units(std::size_t n) {  // 1, i, −1, −i: products are exact
  std::vector<Complex> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t k = i * i % 7 % 4;
    x[i] = {k % 2 ? 0.f : 1.f - static_cast<float>(k), k % 2 ? 2.f - static_cast<float>(k) : 0.f};
  }
  return x;
}
inline std::vector<Matrix> matrices(std::size_t n) {
  std::vector<Matrix> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto k = static_cast<std::uint32_t>(i);
    x[i] = {k % 5 + 1, k % 3, k % 7, k % 2 + 2};
  }
  return x;
}
inline std::vector<Step> steps(std::size_t n) {
  std::vector<Step> x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = {static_cast<std::uint16_t>(i % 1000 + 2), static_cast<std::uint16_t>(i % 77)};
  return x;
}
inline std::vector<Rgb3> colours(std::size_t n) {
  std::vector<Rgb3> x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i / 3), static_cast<std::uint8_t>(i / 5)};
  return x;
}

/// What a scan gives, one element after the other.
template <class A, class T, class Op, class Lift>
std::vector<A> serial_scan(const std::vector<T>& x, const Op& op, Lift lift, bool exclusive,
                           std::optional<A> running) {
  std::vector<A> out;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const A operand = lift(x[i], static_cast<std::int64_t>(i));
    const A next = running ? static_cast<A>(op(*running, operand)) : operand;
    out.push_back(exclusive ? *running : next);
    running = next;
  }
  return out;
}

/// reduce and scans, with and without an initial value, in every form, against the serial loop; `skip` elements are left out,
/// so that packs are not aligned.
template <class A, class T, class Op, class Lift>
void check_own(Context& ctx, const std::vector<T>& values, const Op& op, Lift lift, const A& init,
               std::size_t skip = 0) {
  CAPTURE(values.size());
  const std::vector<T> x(values.begin() + static_cast<std::ptrdiff_t>(skip), values.end());
  const Array<T> all(ctx, values);
  const View<const T> in{all.data() + skip, static_cast<std::int64_t>(x.size())};
  Array<A> out(ctx, in.size), one(ctx, 1);
  const auto same = [](const std::vector<A>& got, const std::vector<A>& want) { CHECK((got == want)); };

  const std::vector<A> want = serial_scan<A>(x, op, lift, false, {}),
                       after = serial_scan<A>(x, op, lift, false, {init});
  if (!x.empty()) {
    CHECK((A{reduce(ctx, in, op)} == want.back()));
    reduce_into(ctx, in, one, op);
    same(one.to_vector(), {want.back()});
  }
  const A total = x.empty() ? init : after.back();
  CHECK((A{reduce(ctx, in, op, init)} == total));
  reduce_into(ctx, in, one, op, init);
  same(one.to_vector(), {total});

  inclusive_scan(ctx, in, out, op);
  same(out.to_vector(), want);
  inclusive_scan(ctx, in, out, op, init);
  same(out.to_vector(), after);
  exclusive_scan(ctx, in, out, op, init);
  same(out.to_vector(), serial_scan<A>(x, op, lift, true, {init}));
  if constexpr (detail::has_identity<Op, A>) {
    exclusive_scan(ctx, in, out, op);
    same(out.to_vector(), serial_scan<A>(x, op, lift, true, {detail::identity_or_nothing<Op, A>(op)}));
  }
  if constexpr (std::is_same_v<A, T>) {
    Array<T> place(ctx, x);
    inclusive_scan(ctx, place, place, op);
    same(place.to_vector(), want);
    place.upload(x);
    exclusive_scan(ctx, place, place, op, init);
    same(place.to_vector(), serial_scan<A>(x, op, lift, true, {init}));
  }
}

inline void check_all_own(Context& ctx, std::size_t n, std::size_t skip) {
  const auto unchanged = [](const auto& x, std::int64_t) { return x; };
  const auto at = [](float x, std::int64_t i) { return ArgMax{}.lift(x, i); };
  check_own<ArgMax::Place>(ctx, floats(n), ArgMax{}, at, {1e4f, -1}, skip);
  check_own<Complex>(ctx, units(n), ComplexProduct{}, unchanged, {0, 1}, skip);
  check_own<Matrix>(ctx, matrices(n), MatrixProduct{}, unchanged, {1, 2, 3, 5}, skip);
  const Composition modulo{1'000'003};
  check_own<Affine>(
      ctx, steps(n), modulo, [&](Step s, std::int64_t) { return modulo.lift(s); }, {3, 4}, skip);
  check_own<Rgb3>(ctx, colours(n), RightMost{}, unchanged, {1, 2, 3}, skip);
}

inline void check_moments(Context& ctx, std::size_t n) {
  const std::vector<double> x = doubles(n);
  double sum = 0, squares = 0;
  for (const double v : x) sum += v;
  for (const double v : x) squares += (v - sum / static_cast<double>(n)) * (v - sum / static_cast<double>(n));
  const Array<double> in(ctx, x);
  const Moments got = reduce(ctx, in, Welford{});
  CHECK(got.n == static_cast<double>(n));
  CHECK(std::fabs(got.mean - sum / static_cast<double>(n)) < 1e-9);
  CHECK(std::fabs(got.m2 - squares) <= 1e-12 * squares);
  Array<Moments> running(ctx, in.size());
  inclusive_scan(ctx, in, running, Welford{});
  const Moments last = running.to_vector().back();
  CHECK(last.n == static_cast<double>(n));
  CHECK(std::fabs(last.m2 - squares) <= 1e-12 * squares);
}

/// segmented_reduce and segmented scans of segments of many lengths, by offsets and equal ones, against the serial loop.
template <class A, class T, class Op, class Lift>
void check_own_segments(Context& ctx, const std::vector<T>& x, const Op& op, Lift lift, const A& init) {
  const auto n = static_cast<std::int64_t>(x.size());
  CAPTURE(n);
  const Array<T> in(ctx, x);
  const auto same = [](const std::vector<A>& got, const std::vector<A>& want) { CHECK((got == want)); };
  const std::vector<A> untouched(x.size(), init);
  /// What a scan of each segment gives, and elements outside as they were.
  const auto scanned = [&](const std::vector<std::int64_t>& offsets, bool exclusive, std::optional<A> first) {
    std::vector<A> results = untouched;
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
      const std::vector<T> segment(x.begin() + offsets[s], x.begin() + offsets[s + 1]);
      std::ranges::copy(serial_scan<A>(segment, op, lift, exclusive, first), results.begin() + offsets[s]);
    }
    return results;
  };
  const auto reduced = [&](const std::vector<std::int64_t>& offsets, const A& first) {
    const std::vector<A> through = scanned(offsets, false, first);
    std::vector<A> results;
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
      const bool empty = offsets[s] == offsets[s + 1];
      results.push_back(empty ? first : through[static_cast<std::size_t>(offsets[s + 1] - 1)]);
    }
    return results;
  };
  const auto check = [&](const Segments& segments, const std::vector<std::int64_t>& offsets) {
    Array<A> out(ctx, segments.count()), scan(ctx, untouched);
    segmented_reduce(ctx, in, segments, out, op, init);
    same(out.to_vector(), reduced(offsets, init));
    segmented_inclusive_scan(ctx, in, segments, scan, op);
    same(scan.to_vector(), scanned(offsets, false, {}));
    segmented_inclusive_scan(ctx, in, segments, scan, op, init);
    same(scan.to_vector(), scanned(offsets, false, init));
    segmented_exclusive_scan(ctx, in, segments, scan, op, init);
    same(scan.to_vector(), scanned(offsets, true, init));
    if constexpr (detail::has_identity<Op, A>) {
      const A identity = detail::identity_or_nothing<Op, A>(op);
      segmented_reduce(ctx, in, segments, out, op);
      same(out.to_vector(), reduced(offsets, identity));
      segmented_exclusive_scan(ctx, in, segments, scan, op);
      same(scan.to_vector(), scanned(offsets, true, identity));
    }
    if constexpr (std::is_same_v<A, T>) {
      Array<T> place(ctx, x);
      segmented_exclusive_scan(ctx, place, segments, place, op, init);
      std::vector<A> want = x;
      const std::vector<A> results = scanned(offsets, true, init);
      std::copy(results.begin() + offsets.front(), results.begin() + offsets.back(),
                want.begin() + offsets.front());
      same(place.to_vector(), want);
    }
  };
  // Of 0, 1, 3, 7, 15, … elements, up to a long one, and again.
  std::vector<std::int64_t> offsets{n / 7};
  for (std::int64_t length = 0; offsets.back() < n; length = length <= n / 3 ? 2 * length + 1 : 0)
    offsets.push_back(std::min(n, offsets.back() + length));
  check(Segments(ctx, offsets), offsets);
  const std::vector<std::int64_t> some(offsets.begin(),
                                       offsets.end() - (n > 0));  // the last ones lie outside
  check(Segments(ctx, some), some);
  check(Segments(ctx, std::vector<std::int64_t>{0, n}), {0, n});
  check(Segments(ctx, std::vector<std::int64_t>{n / 2}), {n / 2});
  for (const std::int64_t length : {std::int64_t{1}, std::int64_t{3}, std::int64_t{40}, n / 2}) {
    std::vector<std::int64_t> equal{0};
    while (length > 0 && equal.back() + length <= n) equal.push_back(equal.back() + length);
    check(Segments::equal(static_cast<std::int64_t>(equal.size()) - 1, length), equal);
  }
}

/// A key of a user's own.
struct Shade {
  std::uint8_t light, unused[2];
  TANDEM_HD friend bool operator==(const Shade& a, const Shade& b) { return a.light == b.light; }
};

/// Scans by key and reduce_by_key, of runs of many lengths, against the serial loop.
template <class A, class T, class Op, class Lift>
void check_own_by_key(Context& ctx, const std::vector<T>& x, const Op& op, Lift lift, const A& init) {
  CAPTURE(x.size());
  std::vector<Shade> keys(x.size());
  std::vector<std::size_t> begins;
  for (std::size_t i = 0, length = 0, next = 0; i < x.size(); ++i) {
    if (i == next) {
      begins.push_back(i);
      length = length <= x.size() / 3 ? 2 * length + 1 : 1;
      next = i + length;
    }
    keys[i] = {static_cast<std::uint8_t>(begins.size()), {}};
  }
  const auto scanned = [&](bool exclusive, std::optional<A> first) {
    std::vector<A> results;
    for (std::size_t r = 0; r < begins.size(); ++r) {
      const std::size_t from = begins[r], to = r + 1 < begins.size() ? begins[r + 1] : x.size();
      const std::vector<T> run(x.begin() + static_cast<std::ptrdiff_t>(from),
                               x.begin() + static_cast<std::ptrdiff_t>(to));
      const auto at = [&](const T& value, std::int64_t i) {
        return lift(value, i + static_cast<std::int64_t>(from));
      };
      std::ranges::copy(serial_scan<A>(run, op, at, exclusive, first), std::back_inserter(results));
    }
    return results;
  };
  const Array<T> in(ctx, x);
  const Array<Shade> of(ctx, keys);
  Array<A> out(ctx, in.size());
  const auto same = [&](const std::vector<A>& want) { CHECK((out.to_vector() == want)); };
  inclusive_scan_by_key(ctx, of, in, out, op);
  same(scanned(false, {}));
  inclusive_scan_by_key(ctx, of, in, out, op, init);
  same(scanned(false, init));
  exclusive_scan_by_key(ctx, of, in, out, op, init);
  same(scanned(true, init));
  if constexpr (detail::has_identity<Op, A>) {
    exclusive_scan_by_key(ctx, of, in, out, op);
    same(scanned(true, detail::identity_or_nothing<Op, A>(op)));
  }
  if constexpr (std::is_same_v<A, T>) {
    Array<T> place(ctx, x);
    inclusive_scan_by_key(ctx, of, place, place, op);
    CHECK((place.to_vector() == scanned(false, {})));
  }

  const std::vector<A> untouched(x.size() + 2, init);
  Array<Shade> keys_out(ctx, in.size() + 1);
  Array<A> reduced(ctx, untouched);
  Array<std::int64_t> count(ctx, 1);
  const auto check = [&](std::int64_t runs, const std::vector<A>& through) {
    CHECK(runs == static_cast<std::int64_t>(begins.size()));
    std::vector<A> want = untouched;
    const std::vector<Shade> got = keys_out.to_vector();
    for (std::size_t r = 0; r < begins.size(); ++r) {
      want[r] = through[(r + 1 < begins.size() ? begins[r + 1] : x.size()) - 1];
      CHECK(got[r] == keys[begins[r]]);
    }
    CHECK((reduced.to_vector() == want));
  };
  check(reduce_by_key(ctx, of, in, keys_out, reduced, op), scanned(false, {}));
  check(reduce_by_key(ctx, of, in, keys_out, reduced, op, init), scanned(false, init));
  reduced.upload(untouched);
  reduce_by_key_into(ctx, of, in, keys_out, reduced, count, op);
  check(count.to_vector()[0], scanned(false, {}));
  reduce_by_key_into(ctx, of, in, keys_out, reduced, count, op, init);
  check(count.to_vector()[0], scanned(false, init));
}

/// Long and short segments whose offsets nobody looked at, and the same as runs of keys.
inline void check_own_unchecked(Context& ctx, std::size_t n) {
  const std::vector<Matrix> x = matrices(n);
  const auto end = static_cast<std::int64_t>(n) - 7;
  const std::vector<std::int64_t> offsets{5, 5, 100, 101, end, end};
  const std::vector<Matrix> untouched(n, Matrix{9, 9, 9, 9});
  std::vector<Matrix> want = untouched;
  std::vector<std::int32_t> keys(n, -1);
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    const std::vector<Matrix> segment(x.begin() + offsets[s], x.begin() + offsets[s + 1]);
    const auto unchanged = [](const Matrix& m, std::int64_t) { return m; };
    std::ranges::copy(serial_scan<Matrix>(segment, MatrixProduct{}, unchanged, false, {}),
                      want.begin() + offsets[s]);
    std::fill(keys.begin() + offsets[s], keys.begin() + offsets[s + 1], static_cast<std::int32_t>(s));
  }
  const Array<Matrix> in(ctx, x);
  const Array<std::int64_t> places(ctx, offsets);
  Array<Matrix> out(ctx, untouched);
  segmented_inclusive_scan(ctx, in, Segments::unchecked(places), out, MatrixProduct{});
  CHECK((out.to_vector() == want));
  const Array<std::int32_t> of(ctx, keys);
  inclusive_scan_by_key(ctx, of, in, out, MatrixProduct{});
  const std::vector<Matrix> by_key = out.to_vector();
  CHECK(std::equal(by_key.begin() + 5, by_key.begin() + end, want.begin() + 5));
}

/// reduce_axis of a matrix with a gap behind each line, along both axes in both layouts, against the serial loop.
template <class A, class T, class Op, class Lift>
void check_own_axis(Context& ctx, const std::vector<T>& x, std::int64_t lines, const Op& op, Lift lift,
                    const A& init) {
  const std::int64_t ld = static_cast<std::int64_t>(x.size()) / std::max<std::int64_t>(1, lines),
                     line = std::max<std::int64_t>(0, ld - 2);
  CAPTURE(lines);
  CAPTURE(line);
  const Array<T> in(ctx, x);
  const auto want = [&](bool along_lines, const A& first) {
    std::vector<A> results;
    for (std::int64_t r = 0; r < (along_lines ? lines : line); ++r) {
      A total = first;
      for (std::int64_t i = 0; i < (along_lines ? line : lines); ++i) {
        const std::int64_t at = along_lines ? r * ld + i : i * ld + r;
        total = static_cast<A>(op(total, lift(x[static_cast<std::size_t>(at)], i)));
      }
      results.push_back(total);
    }
    return results;
  };
  for (const bool along_lines : {true, false}) {
    for (const int axis : {0, 1}) {
      const bool rows = along_lines == (axis == 1);  // whether the lines are rows
      const MatrixView<const T> matrix{in.data(), rows ? lines : line, rows ? line : lines, ld,
                                       rows ? Layout::row_major : Layout::column_major};
      Array<A> out(ctx, along_lines ? lines : line);
      reduce_axis(ctx, matrix, axis, out, op, init);
      CHECK((out.to_vector() == want(along_lines, init)));
      if constexpr (detail::has_identity<Op, A>) {
        reduce_axis(ctx, matrix, axis, out, op);
        CHECK((out.to_vector() == want(along_lines, detail::identity_or_nothing<Op, A>(op))));
      }
    }
  }
}

inline void check_all_own_segments(Context& ctx, std::size_t n) {
  const auto unchanged = [](const auto& x, std::int64_t) { return x; };
  const auto at = [](float x, std::int64_t i) { return ArgMax{}.lift(x, i); };
  const Composition modulo{1'000'003};
  const auto of_step = [&](Step s, std::int64_t) { return modulo.lift(s); };
  const auto check = [&]<class A>(const auto& x, const auto& op, const auto& lift, const A& init) {
    check_own_segments<A>(ctx, x, op, lift, init);
    check_own_by_key<A>(ctx, x, op, lift, init);
    for (const std::int64_t lines : {std::int64_t{1}, std::int64_t{3}, static_cast<std::int64_t>(n) / 5})
      check_own_axis<A>(ctx, x, lines, op, lift, init);
  };
  check(floats(n), ArgMax{}, at, ArgMax::Place{-1e4f, -1});
  check(matrices(n), MatrixProduct{}, unchanged, Matrix{1, 2, 3, 5});
  check(steps(n), modulo, of_step, Affine{3, 4});
  check(colours(n), RightMost{}, unchanged, Rgb3{1, 2, 3});
}

}  // namespace for_host, for_kernels
}  // namespace tandem
