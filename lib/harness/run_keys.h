#pragma once
// Keys of tests: runs of equal ones.

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "lib/harness/problem.h"
#include "lib/ops/segmented_scan/keys.h"

namespace tandem {

constexpr Type kKeyTypes[] = {Type::u32, Type::i32, Type::u64, Type::i64, Type::f32, Type::f64};

/// How keys of neighbouring runs differ.
enum class KeyPattern : int {
  rising,  // the number of the run
  two,     // two keys in turn
  high,    // in their highest bits alone
  odd      // every third run is of zeros of both signs and, where there are such, every fourth of NaNs
};
constexpr const char* kKeyPatterns[] = {"rising", "two keys", "high bits", "odd"};

/// The key of element i, in run r.
template <class Key>
Key run_key(KeyPattern pattern, std::int64_t r, std::int64_t i) {
  constexpr bool kFloating = std::is_floating_point_v<Key>;
  constexpr int kHigh = 8 * sizeof(Key) - 2;
  switch (pattern) {
    case KeyPattern::two:
      return static_cast<Key>(5 + r % 2);
    case KeyPattern::high:
      if constexpr (kFloating)
        return r % 2 ? Key(-1.5) : Key(1.5);
      else
        return static_cast<Key>(std::uint64_t(r % 3) << kHigh);
    case KeyPattern::odd:
      if constexpr (kFloating) {
        if (r % 3 == 0) return i % 2 ? -Key(0) : Key(0);
        if (r % 4 == 0) return std::numeric_limits<Key>::quiet_NaN();
      }
      return static_cast<Key>(r % 3 == 0 ? 0 : r % 1000);
    default:
      return static_cast<Key>(r % (1 << 24));
  }
}

/// The keys of a problem, of any type, and where their runs begin.
struct KeyInput {
  Type type;
  Input<std::uint32_t> four;
  Input<std::uint64_t> eight;
  std::vector<bool> begins;  // a run, of each element

  /// Runs that lie from offset to offset, which end at n; where neighbours get the same key they are one.
  KeyInput(Operands& all, Type of, KeyPattern pattern, const std::vector<std::int64_t>& offsets,
           std::int64_t n, int offset)
      : type(of),
        four(all, size_of(of) == 4 ? n : 0, offset, "keys"),
        eight(all, size_of(of) == 8 ? n : 0, offset, "keys"),
        begins(static_cast<std::size_t>(n)) {
    with_key_type(type, [&]<class Key>() {
      if constexpr (sizeof(Key) == 4)
        fill<Key>(four.values, pattern, offsets);
      else
        fill<Key>(eight.values, pattern, offsets);
    });
  }
  AnyKeys keys() {
    return {size_of(type) == 4 ? static_cast<void*>(four.data()) : static_cast<void*>(eight.data()), type};
  }

 private:
  template <class Key, class Bits>
  void fill(std::vector<Bits>& bits, KeyPattern pattern, const std::vector<std::int64_t>& offsets) {
    Key before{};
    std::size_t i = 0;
    for (std::size_t r = 0; r + 1 < offsets.size() && !bits.empty(); ++r) {
      for (; i < static_cast<std::size_t>(offsets[r + 1]); ++i) {
        const Key key = run_key<Key>(pattern, static_cast<std::int64_t>(r), static_cast<std::int64_t>(i));
        bits[i] = std::bit_cast<Bits>(key);
        begins[i] = i == 0 || !(before == key);
        before = key;
      }
    }
  }
};

/// The first key of each run. Floating-point ones are compared as such, so that zeros of another sign are a matter of
/// digits (Verdict::digits_alone).
class KeyOutput {
 public:
  KeyOutput(Operands& all, const KeyInput& keys, int offset)
      : type_(keys.type),
        four_(all, room<std::uint32_t>(keys), offset),
        eight_(all, room<std::uint64_t>(keys), offset),
        floats_(all, room<float>(keys), offset),
        doubles_(all, room<double>(keys), offset) {
    with_output([&]<class T>(Output<T>& out) {
      out.want.resize(keys.begins.size());
      if (!out.want.empty()) std::memset(out.want.data(), 0xFF, out.want.size() * sizeof(T));  // poison
      out.same = Same::digits;
    });
  }
  void* data() {
    void* data = nullptr;
    with_output([&](auto& out) { data = out.data(); });
    return data;
  }
  /// Key i is that of run r.
  void take(const KeyInput& keys, std::size_t i, std::size_t r) {
    with_output([&]<class T>(Output<T>& out) {
      if constexpr (sizeof(T) == 4)
        out.want[r] = std::bit_cast<T>(keys.four.values[i]);
      else
        out.want[r] = std::bit_cast<T>(keys.eight.values[i]);
    });
  }
  void results(std::int64_t runs) {
    with_output([&](auto& out) { out.results = runs; });
  }

 private:
  /// What keys of a type are compared as.
  template <class Key>
  using Compared = std::conditional_t<std::is_floating_point_v<Key>, Key,
                                      std::conditional_t<sizeof(Key) == 4, std::uint32_t, std::uint64_t>>;
  template <class T>
  static std::int64_t room(const KeyInput& keys) {
    std::int64_t n = 0;
    with_key_type(keys.type, [&]<class Key>() {
      if constexpr (std::is_same_v<T, Compared<Key>>) n = static_cast<std::int64_t>(keys.begins.size());
    });
    return n;
  }
  /// Calls body with the one array that is used.
  template <class Body>
  void with_output(Body body) {
    with_key_type(type_, [&]<class Key>() {
      using T = Compared<Key>;
      if constexpr (std::is_same_v<T, float>)
        body(floats_);
      else if constexpr (std::is_same_v<T, double>)
        body(doubles_);
      else if constexpr (sizeof(T) == 4)
        body(four_);
      else
        body(eight_);
    });
  }

  Type type_;
  Output<std::uint32_t> four_;
  Output<std::uint64_t> eight_;
  Output<float> floats_;
  Output<double> doubles_;
};

}  // namespace tandem
