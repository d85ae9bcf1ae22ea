#pragma once
// Comparisons of users for sort and top_k, bins for histogram and predicates for select, with their serial loops, for the host and for
// kernels.

#include <algorithm>
#include <cstring>
#include <iterator>

#include "tests/own_operators.h"

namespace tandem {
// What a program of both kinds of files must see to: templates that call Tandem are others in each.
#ifdef __CUDACC__
inline namespace for_kernels {
#else
inline namespace for_host {
#endif

/// Comparisons: of a captured value, of few distinct keys, of a type of 3 bytes.
struct NearestTo {
  float centre;
  TANDEM_HD bool operator()(float a, float b) const {
    return (a - centre) * (a - centre) < (b - centre) * (b - centre);
  }
};
struct LessGreen {
  TANDEM_HD bool operator()(const Rgb3& a, const Rgb3& b) const { return a.g % 8 < b.g % 8; }
};
struct TraceOf {
  TANDEM_HD std::uint32_t operator()(const Matrix& m) const { return (m.a + m.d) % 3; }
};

/// sort in both forms against std::stable_sort.
template <class T, class Less>
void check_own_sort(Context& ctx, std::vector<T> x, const Less& less) {
  CAPTURE(x.size());
  const Array<T> in(ctx, x);
  Array<T> out(ctx, in.size()), place(ctx, x);
  sort_into(ctx, in, out, less);
  sort(ctx, place, less);
  std::stable_sort(x.begin(), x.end(), less);
  const auto same = [&](const std::vector<T>& got) {
    CHECK((x.empty() || std::memcmp(got.data(), x.data(), x.size() * sizeof(T)) == 0));
  };
  same(out.to_vector());
  same(place.to_vector());
}

/// sort_by_key in both forms, with places as values, and top_k in all three, against std::stable_sort.
template <class T, class Less>
void check_own_order(Context& ctx, const std::vector<T>& x, const Less& less) {
  CAPTURE(x.size());
  std::vector<std::int64_t> places(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) places[i] = static_cast<std::int64_t>(i);
  std::vector<std::int64_t> want = places;
  const auto element = [&](std::int64_t i) { return x[static_cast<std::size_t>(i)]; };
  std::stable_sort(want.begin(), want.end(),
                   [&](std::int64_t a, std::int64_t b) { return less(element(a), element(b)); });
  const Array<T> in(ctx, x);
  const Array<std::int64_t> values(ctx, places);
  const auto check = [&](const std::vector<std::int64_t>& got, const std::vector<T>* keys) {
    CHECK(std::equal(got.begin(), got.end(), want.begin()));
    for (std::size_t i = 0; keys && i < keys->size(); ++i) {
      const T wanted = element(want[i]);
      CHECK(std::memcmp(&(*keys)[i], &wanted, sizeof(T)) == 0);
    }
  };
  {
    Array<T> keys(ctx, in.size()), keys_in_place(ctx, x);
    Array<std::int64_t> moved(ctx, in.size()), in_place(ctx, places);
    sort_by_key_into(ctx, in, values, keys, moved, less);
    std::vector<T> got = keys.to_vector();
    check(moved.to_vector(), &got);
    sort_by_key(ctx, keys_in_place, in_place, less);
    got = keys_in_place.to_vector();
    check(in_place.to_vector(), &got);
  }
  for (const std::int64_t k :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{7}, std::int64_t{100}, in.size() / 3, in.size()}) {
    if (k > in.size()) continue;
    CAPTURE(k);
    Array<T> keys(ctx, k), keys_alone(ctx, k);
    Array<std::int64_t> found(ctx, k), alone(ctx, k);
    top_k(ctx, in, keys, found, less);
    const std::vector<T> got = keys.to_vector();
    check(found.to_vector(), &got);
    top_k(ctx, in, keys_alone, less);
    top_k_positions(ctx, in, alone, less);
    const std::vector<T> got_alone = keys_alone.to_vector();
    check(alone.to_vector(), &got_alone);
  }
}
/// sort_by_key moves values of any type.
inline void check_own_values(Context& ctx, std::size_t n) {
  const std::vector<float> x = floats(n);
  const std::vector<Matrix> of_key = matrices(n);
  std::vector<const char*> names(n);
  const char text[] = "names are places in a text";
  for (std::size_t i = 0; i < n; ++i) names[i] = text + i % sizeof text;
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  const NearestTo less{-100};
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return less(x[a], x[b]); });
  const auto check = [&]<class V>(const std::vector<V>& values) {
    Array<float> keys(ctx, x);
    Array<V> moved(ctx, values);
    sort_by_key(ctx, keys, moved, less);
    const std::vector<V> got = moved.to_vector();
    for (std::size_t i = 0; i < n; ++i) CHECK((got[i] == values[order[i]]));
  };
  check(of_key);
  check(names);
}
inline void check_own_sorts(Context& ctx, std::size_t n) {
  check_own_values(ctx, n);
  const auto check = [&](const auto& x, const auto& less) {
    check_own_sort(ctx, x, less);
    check_own_order(ctx, x, less);
  };
  check(floats(n), NearestTo{100});
  check(colours(n), LessGreen{});
  check(matrices(n), by(TraceOf{}));
}

/// Bins: of a captured value, of negative and too large numbers, of a type of 3 bytes.
struct HundredsFrom {
  float first;
  TANDEM_HD int operator()(float x) const { return static_cast<int>((x - first) / 100); }
};
struct BinOfColour {
  TANDEM_HD std::uint8_t operator()(const Rgb3& c) const { return c.b; }
};

/// histogram against the serial loop.
template <class T, class BinOf>
void check_own_histogram(Context& ctx, const std::vector<T>& x, const BinOf& bin_of, std::int64_t bins,
                         std::size_t skip) {
  CAPTURE(x.size());
  std::vector<std::int64_t> want(static_cast<std::size_t>(bins));
  for (std::size_t i = skip; i < x.size(); ++i) {
    const auto bin = static_cast<std::int64_t>(bin_of(x[i]));
    if (0 <= bin && bin < bins) ++want[static_cast<std::size_t>(bin)];
  }
  const Array<T> in(ctx, x);
  Array<std::int64_t> counts(ctx, std::vector<std::int64_t>(want.size(), -7));
  histogram(ctx, View<const T>{in.data() + skip, in.size() - static_cast<std::int64_t>(skip)}, bin_of,
            counts);
  CHECK(counts.to_vector() == want);
}
inline void check_own_histograms(Context& ctx, std::size_t n, std::size_t skip) {
  for (const std::int64_t bins : {1, 40, 300, 65536}) {
    check_own_histogram(ctx, floats(n), HundredsFrom{-3000}, bins, skip);
    check_own_histogram(ctx, colours(n), BinOfColour{}, bins, skip);
  }
}

/// Predicates: of captured values, of a type of 3 bytes, of one that select is not compiled for.
struct Within {
  float low, high;
  TANDEM_HD bool operator()(float x) const { return low < x && x < high; }
};
struct Greenish {
  TANDEM_HD bool operator()(const Rgb3& c) const { return c.g > c.r; }
};
struct SameColour {
  TANDEM_HD bool operator()(const Rgb3& a, const Rgb3& b) const { return a.b == b.b; }
};
struct SingularStep {
  TANDEM_HD bool operator()(Step s) const { return s.a % 7 == 0; }
};

/// select and partition in every form against the standard library's; nothing behind what is kept is written.
template <class T, class Predicate>
void check_own_select(Context& ctx, const std::vector<T>& values, const Predicate& predicate,
                      std::size_t skip) {
  CAPTURE(values.size());
  const std::vector<T> x(values.begin() + static_cast<std::ptrdiff_t>(skip), values.end());
  const Array<T> all(ctx, values);
  const View<const T> in{all.data() + skip, static_cast<std::int64_t>(x.size())};
  const auto same = [](const std::vector<T>& got, const std::vector<T>& want) {
    CHECK(std::equal(got.begin(), got.end(), want.begin(), want.end(),
                     [](const T& a, const T& b) { return std::memcmp(&a, &b, sizeof a) == 0; }));
  };
  T other;
  std::memset(&other, 7, sizeof other);
  const std::vector<T> before(x.size() + 3, other);
  std::vector<T> want = before;
  const auto kept = std::copy_if(x.begin(), x.end(), want.begin(), predicate) - want.begin();
  Array<T> out(ctx, before);
  CHECK(select(ctx, in, predicate, out) == kept);
  same(out.to_vector(), want);
  Array<std::int64_t> count(ctx, 2);
  out.upload(before);
  select_into(ctx, in, predicate, out, count);
  same(out.to_vector(), want);
  CHECK(count.to_vector()[0] == kept);

  std::copy(x.begin(), x.end(), want.begin());
  std::stable_partition(want.begin(), want.end() - 3, predicate);
  out.upload(before);
  CHECK(partition(ctx, in, predicate, out) == kept);
  same(out.to_vector(), want);
  out.upload(before);
  partition_into(ctx, in, predicate, out, count);
  same(out.to_vector(), want);
  CHECK(count.to_vector()[0] == kept);
}

inline void check_own_selections(Context& ctx, std::size_t n, std::size_t skip) {
  check_own_select(ctx, floats(n), Within{-2000, 2500}, skip);
  check_own_select(ctx, floats(n), Within{5, 4}, skip);       // none
  check_own_select(ctx, floats(n), Within{-1e9, 1e9}, skip);  // all
  check_own_select(ctx, colours(n), Greenish{}, skip);
  check_own_select(ctx, steps(n), SingularStep{}, skip);

  const std::vector<Rgb3> x = colours(n);
  const Array<Rgb3> in(ctx, x);
  Array<Rgb3> out(ctx, in.size());
  Array<std::int64_t> count(ctx, 1);
  std::vector<Rgb3> want;
  std::unique_copy(x.begin(), x.end(), std::back_inserter(want), SameColour{});
  const auto check = [&](std::int64_t kept) {
    CHECK(kept == static_cast<std::int64_t>(want.size()));
    const std::vector<Rgb3> got = out.to_vector();
    CHECK(std::equal(want.begin(), want.end(), got.begin()));
  };
  check(unique(ctx, in, out, SameColour{}));
  unique_into(ctx, in, out, count, SameColour{});
  check(count.to_vector()[0]);
}

}  // namespace for_host, for_kernels
}  // namespace tandem
