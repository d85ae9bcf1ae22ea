// The comparator's own test: it must accept right answers and refuse every planted wrong one, for every type.

#include "lib/harness/compare.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <vector>

#include "lib/harness/operation.h"
#include "lib/harness/test_data.h"
#include "tests/support.h"

namespace tandem {
namespace {

constexpr std::size_t kRows = 24, kColumns = 40, kSize = kRows * kColumns, kTile = 128;
constexpr std::size_t kAt = 517;  // where single elements are spoilt

template <class T>
constexpr bool kFloating = std::is_floating_point_v<T>;

// No two neighbours are equal, none is zero, none repeats at the distance of a tile.
template <class T>
std::vector<T> right_answer() {
  std::vector<T> values(kSize);
  for (std::size_t i = 0; i < kSize; ++i) {
    if constexpr (std::is_same_v<T, Bicyclic>)
      values[i] = {static_cast<std::uint32_t>(i), 7};
    else
      values[i] = static_cast<T>(static_cast<double>(i + 1) * (i % 3 ? 1 : -1) * (kFloating<T> ? 0.375 : 1));
  }
  return values;
}

template <class T>
struct Wrong {
  const char* name;
  std::function<void(std::vector<T>&)> spoil;
  bool everywhere = false;  // else at kAt, which the verdict must name
};

template <class T>
std::vector<Wrong<T>> wrong_answers(const std::vector<T>& right, double bound) {
  std::vector<Wrong<T>> all = {
      {"swapped pair", [](auto& v) { std::swap(v[kAt], v[kAt + 1]); }},
      {"one stale element", [](auto& v) { v[kAt] = v[kAt - 1]; }},
      {"last element unwritten", [](auto& v) { std::memset(static_cast<void*>(&v.back()), 0xFF, sizeof(T)); },
       true},
      {"shifted by one", [](auto& v) { std::rotate(v.begin(), v.begin() + 1, v.end()); }, true},
      {"all zero", [](auto& v) { std::fill(v.begin(), v.end(), T{}); }, true},
      {"transposed",
       [](auto& v) {
         const auto copy = v;
         for (std::size_t i = 0; i < kSize; ++i) v[i] = copy[i % kRows * kColumns + i / kRows];
       },
       true},
      {"first tile repeated", [](auto& v) { std::copy_n(v.begin(), kTile, v.begin() + kTile); }, true},
      {"too short", [](auto& v) { v.pop_back(); }, true},
      {"too long", [](auto& v) { v.push_back(v.back()); }, true},
      {"empty", [](auto& v) { v.clear(); }, true},
  };
  if constexpr (std::is_same_v<T, Bicyclic>) {
    all.push_back({"one bracket more", [](auto& v) { ++v[kAt].open; }});
  } else {
    all.push_back({"wrong sign", [](auto& v) { v[kAt] = static_cast<T>(-v[kAt]); }});
    all.push_back({"one unit over the bound", [right, bound](auto& v) {
                     if constexpr (kFloating<T>) {
                       const T limit = static_cast<T>(static_cast<double>(right[kAt]) + bound);
                       v[kAt] = std::nextafter(limit, std::numeric_limits<T>::infinity());
                     } else {
                       v[kAt] += 1;
                     }
                   }});
  }
  if constexpr (kFloating<T>) {
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    all.push_back({"NaN", [](auto& v) { v[kAt] = std::numeric_limits<T>::quiet_NaN(); }});
    all.push_back({"+infinity", [](auto& v) { v[kAt] = kInfinity; }});
    all.push_back({"-infinity", [](auto& v) { v[kAt] = -kInfinity; }});
    all.push_back({"largest number", [](auto& v) { v[kAt] = std::numeric_limits<T>::max(); }});
    all.push_back({"1e-6 for a value", [](auto& v) { v[kAt] = static_cast<T>(1e-6); }});
  }
  return all;
}

// Counted over the whole file, and asked for at its end.
int rejections = 0, acceptances = 0;

void expect_refused(const Verdict& verdict) {
  CHECK_FALSE(verdict.correct);
  CHECK(verdict.worst > 1);
  CHECK_FALSE(verdict.text.empty());
  ++rejections;
}
void expect_accepted(const Verdict& verdict) {
  CHECK_MESSAGE(verdict.correct, verdict.text);
  CHECK(verdict.worst <= 1);
  CHECK(verdict.text.empty());
  ++acceptances;
}

template <class T>
void refuses_all(std::span<const double> bounds) {
  const std::vector<T> right = right_answer<T>();
  const Verdict same = compare<T>(right, right, bounds);
  expect_accepted(same);
  CHECK(same.correct);
  CHECK(same.worst == 0);
  CHECK(same.index == -1);
  CHECK(same.text.empty());
  for (const Wrong<T>& wrong : wrong_answers(right, bounds.empty() ? 0 : bounds[kAt])) {
    INFO(wrong.name, bounds.empty() ? ", exact" : ", within bounds");
    std::vector<T> got = right;
    wrong.spoil(got);
    const Verdict verdict = compare<T>(got, right, bounds);
    expect_refused(verdict);
    if (!wrong.everywhere) {
      CHECK(verdict.index >= static_cast<std::int64_t>(kAt));
      CHECK(verdict.index <= static_cast<std::int64_t>(kAt + 1));
      CHECK(contains(verdict.text, "[" + std::to_string(verdict.index) + "]"));
    }
  }
}

}  // namespace

TEST_SUITE_BEGIN("compare");

TEST_CASE_TEMPLATE("planted wrong answers are refused", T, float, double, std::int32_t, std::int64_t,
                   Bicyclic) {
  refuses_all<T>({});
  if constexpr (kFloating<T>) {
    std::vector<double> bounds(kSize);
    for (std::size_t i = 0; i < kSize; ++i) bounds[i] = gamma<T>(20) * static_cast<double>(i + 1);
    refuses_all<T>(bounds);
  }
}

TEST_CASE_TEMPLATE("answers within the bound are accepted and the worst is named", T, float, double) {
  const std::vector<T> right = right_answer<T>();
  const std::vector<double> bounds(kSize, 0.125);
  std::vector<T> got = right;
  for (T& x : got) x += static_cast<T>(0.0625);
  got[kAt] = right[kAt] - static_cast<T>(0.125);
  const Verdict verdict = compare<T>(got, right, bounds);
  expect_accepted(verdict);
  CHECK(verdict.worst == 1);
  CHECK(verdict.index == kAt);
  expect_refused(compare<T>(got, right));
}

// Elements that are equal as numbers: right where values are compared, wrong where bits are.
TEST_CASE_TEMPLATE("the sign of a zero and the payload of a NaN count where asked for", T, float, double,
                   half, bfloat16) {
  const auto number = [](double value) {
    if constexpr (is_narrow_float<T>)
      return T(static_cast<float>(value));
    else
      return static_cast<T>(value);
  };
  const auto other_bits = [](T value, int byte) {
    unsigned char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof raw);
    raw[byte] ^= 1;
    std::memcpy(&value, raw, sizeof raw);
    return value;
  };
  const T zero = number(0), minus_zero = number(-0.0), one = number(1), nan = number(std::nan(""));
  const T payload = other_bits(nan, 0);
  struct {
    T got, want;
    Same refused_from;  // and by every mode behind it
  } const pairs[] = {{zero, minus_zero, Same::sign},
                     {minus_zero, zero, Same::sign},
                     {payload, nan, Same::bits},
                     {nan, payload, Same::bits}};
  for (const auto& [wrong, right, refused_from] : pairs) {
    for (const Same same : {Same::value, Same::sign, Same::bits, Same::digits}) {
      for (const double bound : {0.0, 1.0}) {
        const std::vector<T> got{one, wrong, one}, want{one, right, one};
        const std::vector<double> bounds(3, bound);
        const Verdict verdict = compare<T>(got, want, bounds, same);
        if (same < refused_from) {
          expect_accepted(verdict);
        } else {
          expect_refused(verdict);
          CHECK(verdict.index == 1);
          CHECK(contains(verdict.text, refused_from == Same::bits ? "but with other bits" : "-0"));
          CHECK(verdict.digits_alone == (refused_from == Same::bits || same == Same::digits));
        }
      }
    }
  }
  const std::vector<T> all{zero, minus_zero, one,
                           nan,  payload,    number(std::numeric_limits<double>::infinity())};
  for (const Same same : {Same::value, Same::sign, Same::bits})
    expect_accepted(compare<T>(all, all, {}, same));
  // A difference of one bit anywhere else is refused in every mode.
  for (const Same same : {Same::value, Same::sign, Same::bits}) {
    for (int byte = 0; byte < static_cast<int>(sizeof(T)); ++byte) {
      const std::vector<T> got{other_bits(one, byte)}, want{one};
      expect_refused(compare<T>(got, want, {}, same));
    }
  }
}

TEST_CASE_TEMPLATE("classes come before errors", T, float, double) {
  constexpr T kNan = std::numeric_limits<T>::quiet_NaN(), kInfinity = std::numeric_limits<T>::infinity();
  const T values[] = {
      0,         1,          -1,  std::numeric_limits<T>::max(), std::numeric_limits<T>::denorm_min(),
      kInfinity, -kInfinity, kNan};
  for (const double bound : {0.0, 1.0, 1e300, std::numeric_limits<double>::infinity()}) {
    for (const T got : values) {
      for (const T want : values) {
        CAPTURE(got);
        CAPTURE(want);
        CAPTURE(bound);
        const double ratio = error_ratio(got, want, bound);
        CHECK_FALSE(std::isnan(ratio));
        const bool same_class =
            std::isfinite(got) ? std::isfinite(want) : got == want || (got != got && want != want);
        if (!same_class) CHECK(std::isinf(ratio));
        if (same_class && !std::isfinite(got)) CHECK(ratio == 0);
      }
    }
  }
  CHECK(error_ratio<T>(T(-0.0), T(0.0), 0) == 0);  // the sign of a zero is promised nowhere
  CHECK(std::isinf(error_ratio<T>(1, 2, std::nan(""))));
  CHECK(std::isinf(error_ratio<T>(1, 2, -1)));
}

TEST_CASE("a wrong number of bounds is refused") {
  const std::vector<float> right = right_answer<float>();
  const std::vector<double> bounds(kSize - 1, 1e30);
  CHECK_FALSE(compare<float>(right, right, bounds).correct);
}

TEST_CASE("of two verdicts the worse one stays") {
  Verdict verdict{true, 0.5, 3, ""};
  verdict.include({true, 0.75, 8, ""});
  CHECK(verdict.correct);
  CHECK(verdict.index == 8);
  verdict.include(Verdict::wrong("changed its input"));
  CHECK_FALSE(verdict.correct);
  CHECK(verdict.text == "changed its input");
  verdict.include({true, 0.9, 1, ""});
  CHECK_FALSE(verdict.correct);
  Verdict slightly{false, 2, 4, "[4] is 1, expected 2"};
  slightly.include({true, 0.1, 0, ""});
  CHECK_FALSE(slightly.correct);
  CHECK(slightly.worst == 2);
}

TEST_CASE("less accurate results are outside a promise on the inputs that the implementation names alone") {
  Implementation implementation{};
  implementation.loses_digits_on = "laplacian lapack5";
  const std::vector<float> got{1.5F}, want{1};
  const std::vector<double> bounds{0.1};
  const Verdict digits = compare<float>(got, want, bounds), infinite = compare<float>(got, want);
  Trial trial{};
  for (const char* named : {"laplacian", "lapack5"}) {
    trial.input = named;
    CHECK(outside_promise(implementation, trial, digits));
    CHECK_FALSE(outside_promise(implementation, trial, infinite));
    CHECK_FALSE(outside_promise(implementation, trial, Verdict{}));
  }
  Verdict due_to_another = digits, both;
  due_to_another.input = "unnamed_rows";  // the check knows better than the trial
  both.include(due_to_another);
  for (const Verdict& verdict : {due_to_another, both}) {
    CHECK_FALSE(outside_promise(implementation, trial, verdict));
    implementation.loses_digits_on = "unnamed_rows";
    CHECK(outside_promise(implementation, trial, verdict));
    implementation.loses_digits_on = "laplacian lapack5";
  }
  for (const char* other : {"", "lapack", "laplacian lapack5 ", "random"}) {
    trial.input = other;
    CHECK_FALSE(outside_promise(implementation, trial, digits));
  }
}

TEST_CASE("at least 100 wrong answers were refused, and 30 right ones accepted") {
  MESSAGE(rejections, " refused, ", acceptances, " accepted");
  CHECK(rejections >= 100);
  CHECK(acceptances >= 30);
}

TEST_CASE("gamma is the bound of k roundings") {
  CHECK(gamma<float>(0) == 0);
  CHECK(gamma<float>(1) > 0x1p-24);
  CHECK(gamma<float>(1) < 0x1p-24 * 1.000001);
  CHECK(gamma<double>(1000) > 1000 * 0x1p-53);
  CHECK(gamma<std::int32_t>(1000) == 0);
}

TEST_SUITE_END();

}  // namespace tandem
