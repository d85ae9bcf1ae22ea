// The clocks of a GPU beside its times.

#include "bench/measure/clocks.h"

#include <doctest/doctest.h>

namespace tandem::command {

TEST_SUITE_BEGIN("clocks");

TEST_CASE("samples of a slowed GPU do not count, but all where it is slow throughout or nothing was read") {
  const auto of = [](const std::vector<unsigned>& mhz) {
    std::vector<Clocks::Reading> readings;
    for (const unsigned clock : mhz) readings.push_back({clock, 3201, 0, 0});
    return readings;
  };
  const std::vector<double> times{1, 2, 3, 4};
  CHECK(median_sm_mhz(of({1980, 1500, 1970, 1975})) == 1975);
  CHECK(median_sm_mhz({}) == 0);
  CHECK(at_full_clock(times, of({1980, 1500, 1970, 1975})) == std::vector<double>{1, 3, 4});
  CHECK(at_full_clock(times, of({1000, 970, 969, 1000})) == std::vector<double>{1, 2, 4});
  CHECK(at_full_clock(times, of({1500, 1500, 1500, 1500})) == times);
  CHECK(at_full_clock(times, of({0, 0, 0, 0})) == times);
  CHECK(at_full_clock(times, {}) == times);
  CHECK(at_full_clock(times, of({1980, 1980})) == times);
}

TEST_SUITE_END();

}  // namespace tandem::command
