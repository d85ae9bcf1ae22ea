// Kernels that store into the memory of other ranks: several ranks in one process, under one schedule.

#include <fmt/format.h>

#include <memory>

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
    for (const RanksTrial& trial : rank_trials(Coverage::quick, 1)) {
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
    for (const RanksTrial& trial : rank_trials(Coverage::quick, 1)) {
      if (refusal.empty()) refusal = check_ranks(i, trial);
    }
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

TEST_CASE("a rank's own arrays are out of the others' reach") {
  Memory<int> shared(2);
  std::vector<std::unique_ptr<Memory<int>>> own;
  for (const int r : {0, 1}) {
    const live_memory::OfRank of(r);
    own.push_back(std::make_unique<Memory<int>>(1));
  }
  const auto run = [&](unsigned distance) {
    simt::over_ranks(2, [&](int rank) {
      const auto me = static_cast<unsigned>(rank);
      int *const to = own[(me + distance) % 2]->data(), *const seen = shared.data() + me;
      simt::launch(
          1, 1, 0, "test/reach", [=] { *seen = *to = rank; }, nullptr, false, true);
    });
  };
  run(0);
  CHECK(shared[1] == 1);
#ifdef TANDEM_INSTRUMENTED
  const std::string text = thrown<simt::KernelError>([&] { run(1); });
  CHECK_MESSAGE(contains(text, "rank 0: test/reach, block 0, thread 0:"), text);
  CHECK_MESSAGE(contains(text, "writes 4 bytes"), text);
#endif
}

TEST_CASE("ranks end, whatever becomes of them") {
  Memory<std::uint64_t> flag(1);
  const auto launch = [&](const auto& body) {
    simt::launch(2, 32, 0, "test/ranks", body, nullptr, false, true);
  };
  for (const simt::Schedule schedule : kSchedules) {
    simt::set_schedule(schedule);
    flag[0] = 0;
    // One throws before it launches; one waits for it in vain.
    const std::string text = thrown<InvalidArgument>([&] {
      simt::over_ranks(2, [&](int rank) {
        if (rank == 0) throw InvalidArgument("wrong on purpose");
        const std::uint64_t* const word = flag.data();
        const std::string vain = thrown<simt::KernelError>(
            [&] { launch([=] { spin_until([&] { return load_system(word) != 0; }); }); });
        CHECK_MESSAGE(contains(vain, "rank 1: test/ranks, block"), vain);
        CHECK_MESSAGE(contains(vain, "deadlock"), vain);
      });
    });
    CHECK(text == "wrong on purpose");
    // Ranks launch as often as they like.
    int launches = 0;
    simt::over_ranks(3, [&](int rank) {
      for (int k = 0; k <= rank; ++k, ++launches) launch([] { __syncthreads(); });
    });
    CHECK(launches == 6);
  }
  simt::set_schedule({});
}

TEST_SUITE_END();

}  // namespace tandem
