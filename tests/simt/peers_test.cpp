// Kernels that store into the memory of other ranks: several ranks in one process, under one schedule.

#include <fmt/format.h>

#include "lib/core/rank_registry.h"
#include "lib/harness/rank_check.h"
#include "tests/simt/schedules.h"
#include "tests/wrong/all_reduce/detail/one_shot.cuh"

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

/// What the planted wrong kernels differ from.
struct RightLauncher {
  template <class C>
  void operator()(const typename C::Args& a, Context& ctx) const {
    one_shot_with<C, RightOneShot>(a, ctx);
  }
};
Implementation right_one_shot() {
  Implementation right;
  right.name = "all_reduce/right/one_shot@simt";
  right.place = Place::simt;
  right.launchers = detail::launchers<AllReduce, RightLauncher>();
  return right;
}

}  // namespace

TEST_SUITE_BEGIN("peers");

TEST_CASE("every step gives the sum in rank order, call after call") {
  for (const char* step : kSteps) {
    std::vector<RanksTrial> all = rank_trials(kF32, 1);
    AllReduce::Cases::for_each([&]<class C>() {
      for (const RanksTrial& trial : short_rank_trials(C::id, 1)) all.push_back(trial);
    });
    for (const RanksTrial& trial : all) {
      const std::string wrong = check_ranks(row(step), trial);
      CHECK_MESSAGE(wrong.empty(), step, " ", trial.str(), ": ", wrong);
    }
  }
}

TEST_CASE("whatever the schedule") {
  for (const char* step : kSteps) {
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
      simt::set_schedule(seed == 0 ? simt::Schedule{simt::Schedule::Order::reverse, 0}
                                   : simt::Schedule{simt::Schedule::Order::random, seed});
      const RanksTrial trial{
          kF32, 2 + static_cast<int>(seed % 3), {900, 20, 1100, 600}, Values::exact, seed, 8 << 10};
      const std::string wrong = check_ranks(row(step), trial);
      CHECK_MESSAGE(wrong.empty(), step, " schedule ", seed, ": ", wrong);
    }
  }
  simt::set_schedule({});
}

TEST_CASE("every planted wrong kernel is refused, and the right one that they derive from is not") {
  const auto first_refusal = [](const Implementation& i) {
    std::string refusal;
    for (const RanksTrial& trial : rank_trials(kF32, 1)) {
      if (refusal.empty()) refusal = check_ranks(i, trial);
    }
    for (std::uint64_t seed = 1; seed <= 8 && refusal.empty(); ++seed) {
      simt::set_schedule({simt::Schedule::Order::random, seed});
      refusal = check_ranks(i, {kF32, 2, {900, 20, 600, 600}});
    }
    simt::set_schedule({});
    return refusal;
  };
  CHECK(first_refusal(right_one_shot()) == "");
  int planted = 0;
  for (const Implementation& i : rank_implementations()) {
    if (i.path != "wrong") continue;
    ++planted;
    const std::string refusal = first_refusal(i);
    fmt::print("{:<36} {}\n", i.name, refusal.empty() ? "ACCEPTED" : "refused by " + refusal);
    CHECK_MESSAGE(!refusal.empty(), i.name, " passes as right");
  }
  CHECK(planted == 13);
}

TEST_SUITE_END();

}  // namespace tandem
