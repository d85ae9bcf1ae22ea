// Random shapes: from a number alone, of every kind that callers have, and within the size that was asked for.

#include <algorithm>
#include <set>

#include "lib/harness/operation.h"
#include "tests/support.h"

namespace tandem {
namespace {

constexpr std::int64_t kLargest = 1 << 16;

std::string text(const Operation& op, const Drawn& drawn) {
  return op.cases[static_cast<std::size_t>(drawn.case_index)].str() + " " + drawn.trial.str();
}

}  // namespace

TEST_SUITE_BEGIN("draw");

TEST_CASE("sizes are spread over their logarithms, and a range of one number gives it") {
  Draws draws(1);
  int small = 0, odd = 0, powers = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t n = draws.size(1, 1 << 20);
    CHECK(n >= 1);
    CHECK(n <= 1 << 20);
    small += n < 1024, odd += n % 2, powers += (n & (n - 1)) == 0;
  }
  CHECK(small > 400);
  CHECK(small < 600);
  CHECK(odd > 250);
  CHECK(powers > 100);
  CHECK(draws.size(7, 7) == 7);
  CHECK(draws.size(7, 0) == 7);
  for (int i = 0; i < 100; ++i) CHECK(draws.size(60, 70) >= 60);
}

TEST_CASE("a number is a shape, another one another shape") {
  for (const auto& op : operations()) {
    std::set<std::string> all;
    for (std::uint64_t number = 0; number < 100; ++number) {
      all.insert(text(*op, op->draw(number, kLargest)));
      CHECK(text(*op, op->draw(number, kLargest)) == text(*op, op->draw(number, kLargest)));
    }
    CHECK_MESSAGE(all.size() > 95, op->name);
  }
}

TEST_CASE(
    "every case that users can name, every variant of the choice, aligned and unaligned, small and large") {
  for (const auto& op : operations()) {
    CAPTURE(op->name);
    std::set<int> cases;
    std::set<std::string> variants;
    int unaligned = 0;
    double least = 1e30, most = 0;
    for (std::uint64_t number = 0; number < 1000; ++number) {
      const auto [case_index, trial] = op->draw(number, kLargest);
      const CaseId id = op->cases[static_cast<std::size_t>(case_index)];
      cases.insert(case_index);
      variants.insert(trial.variant);
      unaligned += trial.inputs.offset > 0;
      const double bytes = op->work(id, trial).bytes;
      least = std::min(least, bytes), most = std::max(most, bytes);
    }
    const auto named =
        std::count_if(op->cases.begin(), op->cases.end(), [](CaseId id) { return id.type != kBicyclic; });
    CHECK(static_cast<std::ptrdiff_t>(cases.size()) == named);
    for (const Trial& trial : op->benchmarks(op->cases[0], 64, 1)) {
      CHECK_MESSAGE(std::any_of(variants.begin(), variants.end(),
                                [&](const std::string& v) { return v.starts_with(trial.variant); }),
                    trial.variant);
    }
    CHECK(unaligned > 200);
    CHECK(unaligned < 600);
    CHECK(least < 1000);
    CHECK(most > kLargest / 2);
    CHECK(most < 16 * kLargest);  // five arrays, some of them with gaps
  }
}

TEST_CASE("the automatic choice takes every shape, and the serial loop is right on it") {
  Context ctx = Context::host();
  long executed = 0;
  for (const auto& op : operations()) {
    const auto serial = matching(op->name + "/custom/serial");
    REQUIRE(!serial.empty());
    for (std::uint64_t number = 0; number < 60; ++number) {
      const Drawn drawn = op->draw(number, kLargest / 4);
      const int case_index = drawn.case_index;
      const Trial& trial = drawn.trial;
      const CaseId id = op->cases[static_cast<std::size_t>(case_index)];
      const auto problem = op->make(ctx, case_index, trial);
      for (const Implementation* i : {op->choose(ctx, case_index, trial).implementation, serial[0]}) {
        if (!i->refusal(op->shape(trial), id).empty()) {
          CHECK(i == serial[0]);
          continue;
        }
        const Verdict verdict = check(*i, case_index, *problem, ctx, trial.n);
        CHECK_MESSAGE(verdict.correct, i->name, " ", id.str(), " ", trial.str(), ": ", verdict.text);
        ++executed;
      }
    }
  }
  MESSAGE(executed, " draws executed");
}

TEST_SUITE_END();

}  // namespace tandem
