// Laws that hold for any input: rapidcheck looks for one that breaks them and shrinks it.

#include <rapidcheck.h>

#include <numeric>

#include "lib/tandem.h"
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

TEST_SUITE_END();

}  // namespace tandem
