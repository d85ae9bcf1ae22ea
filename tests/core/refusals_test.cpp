// Calls that are refused, very often.

#include <algorithm>
#include <chrono>
#include <vector>

#include "tandem/tandem.h"
#include "tests/allocations.h"
#include "tests/support.h"

namespace tandem {

TEST_SUITE_BEGIN("refusals");

TEST_CASE("a million refused calls leave nothing behind") {
  Context ctx = Context::host(), other = Context::host();
  const std::vector<float> x(16, 1);
  std::vector<float> y(16), small(15);
  int refused = 0;
  const auto refuse = [&](auto call) {
    try {
      call();
    } catch (const InvalidArgument&) {
      ++refused;
    }
  };
  // Seconds of a good call of `ctx` behind 20,000 refused calls of a context: the caches are as cold behind both.
  const auto seconds_behind = [&](Context& in) {
    for (int i = 0; i < 10'000; ++i) {
      refuse([&] { inclusive_scan(in, x, small); });
      refuse([&] { reduce(in, x, plus, {.use = "nothing"}); });
    }
    const auto start = std::chrono::steady_clock::now();
    inclusive_scan(ctx, x, y);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  for (Context* in : {&ctx, &other}) seconds_behind(*in);  // what is made once is made
  const std::int64_t live = operator_new.live;
#ifdef TANDEM_SANITIZED
  constexpr int kRounds = 2;  // an exception takes a hundred times as long
#else
  constexpr int kRounds = 25;
#endif
  double own = 1, others = 1;
  for (int round = 0; round < kRounds; ++round) {
    own = std::min(own, seconds_behind(ctx));
    others = std::min(others, seconds_behind(other));
  }
  CHECK(refused == 2 * (kRounds + 1) * 20'000);
  CHECK(operator_new.live == live);
#ifndef TANDEM_SANITIZED
  CHECK(own < others + 1e-6);
#endif
}

TEST_SUITE_END();

}  // namespace tandem
