// Calls from end to end: what is copied there and back, and where the GPU overtakes the CPU.

#include <algorithm>
#include <cstring>

#include "lib/harness/end_to_end.h"
#include "tests/support.h"

namespace tandem {

TEST_SUITE_BEGIN("end_to_end");

TEST_CASE("what is copied there suffices for right results, and what comes back is these") {
  Context ctx = Context::host();
  for (const auto& op : operations()) {
    CAPTURE(op->name);
    const Implementation& serial = *matching(op->name + "/custom/serial").at(0);
    const auto found = std::ranges::find(op->cases, op->default_type(), &CaseId::type);
    const int case_index = static_cast<int>(found - op->cases.begin());
    const Trial trial = op->benchmarks(*found, op->executor_size, 1).at(0);
    const auto problem = op->make(ctx, case_index, trial);
    std::vector<std::pair<std::byte*, std::size_t>> here;
    EndToEnd whole(ctx, *problem, [&](std::size_t bytes) {
      const auto memory = std::make_shared<std::byte[]>(bytes);
      here.emplace_back(memory.get(), bytes);
      return memory;
    });
    const std::vector<Transfer> transfers = problem->transfers();
    REQUIRE(transfers.size() == here.size());
    for (const Transfer& t : transfers) std::memset(t.there, 0xFF, t.bytes);
    const Phases phases = whole.phases([&] { run(serial, case_index, problem->args(), ctx, "tested"); });
    CHECK(phases.there >= 0);
    CHECK(phases.call > 0);
    CHECK(phases.all() >= phases.call + phases.back);
    CHECK(problem->check(static_cast<double>(trial.n)).correct);
    bool any = false;
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      if (!transfers[i].out) continue;
      any = true;
      CHECK(std::memcmp(here[i].first, transfers[i].there, here[i].second) == 0);
    }
    CHECK(any);
  }
}

TEST_CASE("the GPU overtakes the CPU where it stays ahead") {
  const std::vector<BothPlaces> sizes{
      {"1K", 1, 3}, {"2K", 2, 1.5}, {"4K", 4, 5}, {"8K", 8, 6}, {"16K", 16, 8}};
  const std::span all(sizes);
  CHECK(crossing(all) == "the GPU overtakes the CPU at 8K; GPU 2.00 x as fast at 16K");
  CHECK(crossing(all.first(3)) == "the CPU is faster up to 4K; GPU 0.80 x as fast at 4K");
  CHECK(crossing(all.subspan(3)) == "the GPU is faster from 8K on; GPU 2.00 x as fast at 16K");
  CHECK(crossing(all.first(1)) == "the CPU is faster up to 1K; GPU 0.33 x as fast at 1K");
}

TEST_SUITE_END();

}  // namespace tandem
