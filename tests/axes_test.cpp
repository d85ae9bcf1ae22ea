// The trials of every operation meet all pairs of values of its axes that are possible, whatever the seed; and
// what makes and counts pairs sees the ones that are missing.

#include "lib/harness/axes.h"

#include "lib/harness/operation.h"
#include "tests/support.h"

namespace tandem {
namespace {

Axes three_axes() {
  Axes axes;
  axes.add("size", {"0", "1", "2"});
  axes.add("place", {"out", "in"});
  axes.add("values", {"small", "large", "nan", "zero"});
  axes.exclude(0, 1, [](int size, int place) { return size == 0 && place == 1; });
  return axes;
}

}  // namespace

TEST_SUITE_BEGIN("axes");

TEST_CASE("every operation's tests meet all pairs") {
  for (const auto& op : operations()) {
    for (const Coverage coverage : {Coverage::quick, Coverage::full}) {
      for (const std::uint64_t seed : {1, 2, 3}) {
        PairCoverage pairs(op->axes(coverage));
        for (const CaseId id : op->cases) {
          for (const Trial& trial : op->tests(id, coverage, seed)) pairs.executed(trial.point);
        }
        CAPTURE(op->name);
        CHECK(pairs.met() > 100);
        for (const std::string& open : pairs.open()) FAIL_CHECK(open);
        if (coverage == Coverage::full) break;
      }
    }
  }
}

TEST_CASE("a covering meets what is possible, in little more than the largest product of two axes") {
  const Axes axes = three_axes();
  PairCoverage pairs(axes);
  Covering covering(axes, 1);
  int points = 0;
  for (; const auto open = covering.open(); ++points) {
    const Point point = covering.next(*open);
    REQUIRE(!point.empty());
    CHECK_FALSE((point[0] == 0 && point[1] == 1));
    pairs.executed(point);
  }
  CHECK(pairs.open().empty());
  CHECK(pairs.met() == 5 + 3 * 4 + 2 * 4);
  CHECK(points <= 14);
  CHECK(covering.next({0, 1, -1}).empty());
}

TEST_CASE("pairs that were never met are named, those that are refused in every trial do not count") {
  PairCoverage pairs(three_axes());
  for (int size = 0; size < 3; ++size) {
    for (int values = 0; values < 4; ++values) {
      pairs.executed({size, 0, values});
      if (size > 0 && values != 3) pairs.refused({size, 1, values});
    }
  }
  CHECK(pairs.open() == std::vector<std::string>{"place in with values zero"});
  CHECK(pairs.possible() == pairs.met() + 1);
  pairs.executed({1, 1, 3});
  CHECK(pairs.open().empty());
}

TEST_CASE("pairs of an axis that is left out do not count") {
  Axes axes = three_axes();
  axes.leave_out("an axis of another operation");
  CHECK(PairCoverage(axes).possible() == 5 + 3 * 4 + 2 * 4);
  axes.leave_out("place");
  PairCoverage pairs(axes);
  for (int size = 0; size < 3; ++size) {
    for (int values = 0; values < 4; ++values) pairs.executed({size, 0, values});
  }
  CHECK(pairs.met() == 3 * 4);
  CHECK(pairs.open().empty());
  CHECK_FALSE(pairs.brings({1, 1, 3}));
}

TEST_SUITE_END();

}  // namespace tandem
