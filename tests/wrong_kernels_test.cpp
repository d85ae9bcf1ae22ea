// The kernels of tests/wrong/ are wrong on purpose, each in a way that a weaker check lets through. Each must
// be refused.

#ifdef TANDEM_HAS_SIMT

#include <fmt/format.h>

#include <set>

#include "lib/harness/operation.h"
#include "lib/simt/trace.h"
#include "tests/support.h"

namespace tandem {
namespace {

using Order = simt::Schedule::Order;
constexpr struct {
  const char* name;
  simt::Schedule schedule;
} kSchedules[] = {
    {"forward", {Order::forward, 0}}, {"reverse", {Order::reverse, 0}}, {"random", {Order::random, 1}}};

// "<case> <trial>, <schedule>: <why>" of the first refusal, empty when all of `cases` pass.
std::string first_refusal(const Implementation& i, bool (*wanted)(CaseId)) {
  const Operation& op = operation(i.operation);
  std::string found;
  for (const auto& [name, schedule] : kSchedules) {
    simt::set_schedule(schedule);
    Context ctx = Context::host();
    for (std::size_t c = 0; c < op.cases.size() && found.empty(); ++c) {
      if (!wanted(op.cases[c])) continue;
      for (const Trial& trial : op.tests(op.cases[c], Extent::quick, 1)) {
        if (!i.refusal(op.shape(trial), op.cases[c]).empty()) continue;
        const auto problem = op.make(ctx, static_cast<int>(c), trial);
        const bool watched = simt::worth_watching(op.cases[c], trial.n);
        const Verdict verdict = watched
                                    ? simt::check_with_races(i, static_cast<int>(c), *problem, ctx, trial.n)
                                    : check(i, static_cast<int>(c), *problem, ctx, trial.n);
        if (verdict.correct) continue;
        found = fmt::format("{} {}, {}: {}", op.cases[c].str(), trial.str(), name, verdict.text);
        break;
      }
    }
  }
  simt::set_schedule({});
  return found;
}

}  // namespace

TEST_SUITE_BEGIN("wrong_kernels");

TEST_CASE("every planted wrong kernel is refused") {
  int planted = 0, refused = 0;
  for (const Implementation& i : implementations()) {
    if (i.path != "wrong") continue;
    ++planted;
    const std::string refusal = first_refusal(i, [](CaseId) { return true; });
    refused += !refusal.empty();
    fmt::print("{:<42} {}\n", i.name, refusal.empty() ? "ACCEPTED" : "refused by " + refusal);
    CHECK_MESSAGE(!refusal.empty(), i.name, " passes as right");
  }
  fmt::print("{} of {} wrong kernels refused\n", refused, planted);
  CHECK(planted >= 20);
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
  CHECK(contains(first_refusal(swapped, [](CaseId id) { return id.type == Type::bicyclic; }),
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
