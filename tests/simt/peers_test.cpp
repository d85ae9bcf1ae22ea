// Kernels that store into the memory of other ranks: several ranks in one process, under one schedule.

#include <fmt/format.h>

#include "lib/core/rank_registry.h"
#include "lib/harness/rank_check.h"
#include "tests/simt/schedules.h"

namespace tandem {
namespace {

constexpr CaseId kF32{Type::f32, OperatorId::plus};

const Implementation& row(const std::string& name) {
  const auto found = std::ranges::find(rank_implementations(), name + "@simt", &Implementation::name);
  REQUIRE(found != rank_implementations().end());
  return *found;
}

constexpr const char* kSteps[] = {"all_reduce/custom/one_shot", "all_reduce/custom/two_shot",
                                  "all_reduce/custom/flag_in_word"};

/// Sizes around tile and piece edges, uneven shares, and calls that need other numbers of blocks than the one before.
std::vector<RanksTrial> trials(CaseId id, std::uint64_t seed) {
  std::vector<RanksTrial> all;
  for (int ranks = 1; ranks <= 4; ++ranks) {
    all.push_back({id, ranks, {1, 1, 7, 1000, 3, 0, 2049}, Values::exact, seed});
    all.push_back({id, ranks, {3001, 5, 600}, Values::exact, seed, 8 << 10, 3, 1});  // in several launches
  }
  all.push_back({id, 3, {501, 501, 501}, Values::real, seed});
  all.push_back({id, 2, {100}, Values::nan, seed});
  all.push_back({id, 5, {130, 2000}, Values::extreme, seed});
  return all;
}

}  // namespace

TEST_SUITE_BEGIN("peers");

TEST_CASE("every step gives the sum in rank order, call after call") {
  for (const char* step : kSteps) {
    AllReduce::Cases::for_each([&]<class C>() {
      for (const RanksTrial& trial : trials(C::id, 1)) {
        const std::string wrong = check_ranks(row(step), trial);
        CHECK_MESSAGE(wrong.empty(), step, " ", trial.str(), ": ", wrong);
      }
    });
  }
}

TEST_CASE("whatever the schedule") {
  for (const char* step : kSteps) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      simt::set_schedule(seed == 0 ? simt::Schedule{simt::Schedule::Order::reverse, 0}
                                   : simt::Schedule{simt::Schedule::Order::random, seed});
      const RanksTrial trial{kF32, 2 + static_cast<int>(seed % 3), {900, 20, 2100, 1500}, Values::exact, seed, 8 << 10};
      const std::string wrong = check_ranks(row(step), trial);
      CHECK_MESSAGE(wrong.empty(), step, " schedule ", seed, ": ", wrong);
    }
  }
  simt::set_schedule({});
}

TEST_SUITE_END();

}  // namespace tandem
