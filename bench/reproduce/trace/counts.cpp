#include "bench/reproduce/trace/counts.h"

#include <algorithm>

namespace tandem::command {
namespace {

/// Blocks of so many threads on the executor, as long as it lives.
struct Block {
  explicit Block(int threads) { simt::settings().block = threads; }
  ~Block() { simt::settings().block = 0; }
};

std::vector<simt::LaunchTraffic> traced(const Implementation& i, std::int64_t n, int block,
                                        Reproduction& result) {
  const Operation& op = operation(i.operation);
  Context ctx = Context::host();
  const auto problem = op.make(ctx, 0, op.benchmarks(op.cases[0], n, 1).front());
  problem->reset();
  const Block threads(block);
  simt::Trace trace = simt::trace([&] { tandem::run(i, 0, problem->args(), ctx, "traced"); });
  const Verdict verdict = problem->check(i.depth(n));
  if (!verdict.correct) result.wrong.push_back(i.name + ": " + verdict.text);
  for (const simt::Race& race : trace.races) result.wrong.push_back(race.str());
  return std::move(trace.launches);
}

}  // namespace

std::vector<simt::LaunchTraffic> traced(const std::string& name, std::int64_t n, int block,
                                        Reproduction& result) {
  return traced(implementation_named(name + "@simt"), n, block, result);
}
std::vector<simt::LaunchTraffic> traced(const TuningPoint& point, std::int64_t n, int block,
                                        Reproduction& result) {
  return traced(point.implementation, n, block, result);
}

Complexity counted(const std::string& name, std::int64_t n, int block) {
  const auto rows = matching(name);
  const auto counts = std::find_if(rows.begin(), rows.end(), [](auto* i) { return i->counting; });
  const Operation& op = operation((*counts)->operation);
  Context ctx = Context::host();
  const Block threads(block);
  return op.complexity(**counts, ctx, op.benchmarks(op.cases[0], n, 1).front());
}

Cell count(double here, std::optional<double> published) { return {here, published, 0, ""}; }

}  // namespace tandem::command
