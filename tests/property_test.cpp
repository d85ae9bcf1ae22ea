// Laws that hold for any input: rapidcheck looks for one that breaks them and shrinks it.

#include <rapidcheck.h>

#include <numeric>

#include "tandem/tandem.h"
#include "tests/support.h"

namespace tandem {
namespace {

using Values64 = std::vector<std::int64_t>;  // sums wrap, so every law is exact

Values64 inclusive(const Values64& x, std::int64_t init = 0) {
  Context ctx = Context::host();
  Values64 y(x.size());
  inclusive_scan(ctx, x, y, plus, init);
  return y;
}
Values64 exclusive(const Values64& x, std::int64_t init = 0) {
  Context ctx = Context::host();
  Values64 y(x.size());
  exclusive_scan(ctx, x, y, plus, init);
  return y;
}
template <class Op>
std::int64_t total(const Values64& x, Op op) {
  Context ctx = Context::host();
  return reduce(ctx, x, op);
}

}  // namespace

TEST_SUITE_BEGIN("property");

TEST_CASE("the last of a scan is the reduction") {
  CHECK(
      rc::check([](const Values64& x) { RC_ASSERT((x.empty() || inclusive(x).back() == total(x, plus))); }));
}

TEST_CASE("an exclusive scan is the inclusive one shifted") {
  CHECK(rc::check([](const Values64& x, std::int64_t init) {
    Values64 shifted = inclusive(x, init);
    if (!x.empty()) {
      shifted.insert(shifted.begin(), init);
      shifted.pop_back();
    }
    RC_ASSERT(exclusive(x, init) == shifted);
  }));
}

TEST_CASE("a scan of a concatenation goes on where the first part ended") {
  CHECK(rc::check([](const Values64& a, const Values64& b) {
    Values64 both = a;
    both.insert(both.end(), b.begin(), b.end());
    Values64 parts = inclusive(a);
    const Values64 rest = inclusive(b, total(a, plus));
    parts.insert(parts.end(), rest.begin(), rest.end());
    RC_ASSERT(inclusive(both) == parts);
  }));
}

TEST_CASE("minimum and maximum are among the elements and bound them") {
  CHECK(rc::check([](const Values64& x) {
    RC_PRE(!x.empty());
    RC_ASSERT(total(x, minimum) == *std::min_element(x.begin(), x.end()));
    RC_ASSERT(total(x, maximum) == *std::max_element(x.begin(), x.end()));
  }));
}

TEST_CASE("a reduction of a concatenation is that of its parts' results") {
  CHECK(rc::check([](const Values64& a, const Values64& b) {
    Values64 both = a;
    both.insert(both.end(), b.begin(), b.end());
    const auto law = [&](auto op) { return total(both, op) == total({total(a, op), total(b, op)}, op); };
    RC_ASSERT((law(plus) && law(multiplies) && law(minimum) && law(maximum) && law(logical_and) &&
               law(logical_or)));
  }));
}

TEST_CASE("transforms compose: one after the other is the composed function") {
  CHECK(rc::check([](const Values64& x, const Values64& y, std::int64_t alpha) {
    Context ctx = Context::host();
    const std::size_t n = std::min(x.size(), y.size());
    const std::span a(x.data(), n), b(y.data(), n);
    Values64 product(n), steps(n), once(n), zero(n, 0);
    // alpha·x + y is the sum of alpha·x and y, and the negation of (−alpha)·x + (−y).
    transform(ctx, axpy(alpha), a, zero, product);
    transform(ctx, plus, product, b, steps);
    transform(ctx, axpy(alpha), a, b, once);
    RC_ASSERT(steps == once);
    transform(ctx, negate, b, steps);
    transform(ctx, axpy(detail::wrap_multiplies<std::int64_t>(alpha, -1)), a, steps, steps);
    transform(ctx, negate, steps, steps);
    RC_ASSERT(steps == once);
  }));
}

TEST_CASE("dot2 is multiply_add over the square, and a square is what it says") {
  CHECK(rc::check([](const Values64& x) {
    Context ctx = Context::host();
    Values64 squares(x.size()), twice(x.size()), once(x.size());
    transform(ctx, square, x, squares);
    transform(ctx, multiply_add, x, x, squares, twice);
    transform(ctx, dot2, zip(x, x, x, x), once);
    RC_ASSERT(twice == once);
  }));
}

TEST_CASE("a transform of a concatenation is the concatenation of the transforms") {
  CHECK(rc::check([](const Values64& a, const Values64& b) {
    Context ctx = Context::host();
    Values64 both = a;
    both.insert(both.end(), b.begin(), b.end());
    transform(ctx, square, both, both);
    Values64 parts(a.size() + b.size());
    transform(ctx, square, a, View<std::int64_t>{parts.data(), static_cast<std::int64_t>(a.size())});
    transform(ctx, square, b,
              View<std::int64_t>{parts.data() + a.size(), static_cast<std::int64_t>(b.size())});
    RC_ASSERT(both == parts);
  }));
}

TEST_SUITE_END();

}  // namespace tandem
