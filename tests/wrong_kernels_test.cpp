// The kernels of tests/wrong/ are wrong on purpose, each in a way that a weaker check lets through: kernels for
// the executor (.cu), and loops for the host where nothing parallel matters (.cpp). Each must be refused by the
// default coverage. Not planted is what is within the promised bound, such as a result of two bits less.

#ifdef TANDEM_HAS_SIMT

#include <fmt/format.h>

#include <set>

#include "lib/harness/race_check.h"
#include "tests/support.h"

namespace tandem {
namespace {

using Order = simt::Schedule::Order;
constexpr struct {
  const char* name;
  simt::Schedule schedule;
} kSchedules[] = {
    {"forward", {Order::forward, 0}}, {"reverse", {Order::reverse, 0}}, {"random", {Order::random, 1}}};

// Wrong past 4 GiB alone: tests/large_test.cpp.
constexpr const char* kOnlyHuge = "reduce/wrong/wrapped_offset";

// "<case> <trial>, <schedule>: <why>" of the first refusal, empty when all of `cases` pass.
std::string first_refusal(const Implementation& i, bool (*wanted)(CaseId)) {
  const Operation& op = operation(i.operation);
  std::string found;
  for (const auto& [name, schedule] : kSchedules) {
    if (i.place == Place::host && schedule.order != Order::forward) continue;
    simt::set_schedule(schedule);
    Context ctx = Context::host();
    const Implementation* const one[] = {&i};
    for (std::size_t c = 0; c < op.cases.size() && found.empty(); ++c) {
      if (!wanted(op.cases[c])) continue;
      const auto trials = op.tests(op.cases[c], Coverage::quick, 1);
      for_each_trial(op, static_cast<int>(c), trials, one, ctx, check_watched<>, [&](const Outcome& outcome) {
        if (outcome.refusal.empty() && !outcome.verdict.correct) {
          found =
              fmt::format("{} {}, {}: {}", outcome.id.str(), outcome.trial.str(), name, outcome.verdict.text);
        }
        return found.empty();
      });
    }
  }
  simt::set_schedule({});
  return found;
}

}  // namespace

TEST_SUITE_BEGIN("wrong_kernels");

TEST_CASE("every planted wrong kernel is refused") {
  int planted = 0;
  std::vector<std::string> accepted;
  for (const Implementation& i : implementations()) {
    if (i.path != "wrong" || i.name == kOnlyHuge) continue;
    ++planted;
    const std::string refusal = first_refusal(i, [](CaseId) { return true; });
    if (refusal.empty()) accepted.push_back(i.name);
    fmt::print("{:<42} {}\n", i.name, refusal.empty() ? "ACCEPTED" : "refused by " + refusal);
    CHECK_MESSAGE(!refusal.empty(), i.name, " passes as right");
  }
  // In the end once more: of a failed test CI shows the last lines.
  fmt::print("{} of {} wrong kernels refused{}{}\n", planted - static_cast<int>(accepted.size()), planted,
             accepted.empty() ? "" : "; not: ", fmt::join(accepted, ", "));
  CHECK(planted >= 99);
}

TEST_CASE("some are wrong in one respect alone, and nothing else refuses them") {
  const auto row = [](const char* name) -> const Implementation& {
    const auto found = matching(name);
    REQUIRE(found.size() == 1);
    return *found[0];
  };
  // Only an operator that does not commute tells.
  const Implementation& swapped = row("scan/wrong/swapped_operands@simt");
  CHECK(first_refusal(swapped, [](CaseId id) { return id.type == Type::i32; }) == "");
  CHECK(contains(first_refusal(swapped, [](CaseId id) { return id.type == kBicyclic; }),
                 "bicyclic concatenate"));
  // Only f64 is kept in less than it promises.
  const Implementation& low = row("reduce/wrong/low_precision@simt");
  CHECK(first_refusal(low, [](CaseId id) { return id.type == Type::f32; }) == "");
  CHECK(contains(first_refusal(low,
                               [](CaseId id) {
                                 return id == CaseId{Type::f64, OperatorId::plus};
                               }),
                 "f64 plus"));
  // Only a NaN among minimum's or maximum's operands.
  const Implementation& lost = row("reduce/wrong/nan_lost@simt");
  CHECK(first_refusal(lost, [](CaseId id) { return id.type == Type::i32; }) == "");
  CHECK(contains(first_refusal(lost, [](CaseId id) { return id.op == OperatorId::maximum; }), " nan "));
}

TEST_SUITE_END();

}  // namespace tandem

#endif
