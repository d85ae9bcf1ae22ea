#pragma once
// Timing on top of Google Benchmark, which repeats each function and shuffles the repetitions of all of them,
// so that a drift of the clock hits every row alike.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/context_impl.h"

namespace tandem::command {

/// How a time was taken. hot: calls back to back; cold: the last-level cache is overwritten before each call;
/// graph: a recorded CUDA graph is replayed back to back.
enum class Method { hot, cold, graph };
const char* name(Method method);
/// The method of one of these names; hot for any other.
Method parse_method(std::string_view text);

struct Timing {
  double seconds = 0;             // median over the repetitions, per call
  double spread = 0;              // (third quartile − first quartile) ÷ median
  double least = 0;               // per call
  std::vector<double> samples{};  // seconds per call, ascending
};

class Measurement {
 public:
  /// `sample` takes one measurement and returns seconds per call. Returns the row's index.
  std::size_t add(std::function<double()> sample);
  std::size_t size() const { return samples_.size(); }
  /// Runs all repetitions, shuffled; results are in the order of add().
  std::vector<Timing> run(int repetitions, const std::function<void(std::size_t done)>& progress);

 private:
  std::vector<std::function<double()>> samples_;
};

/// A sample function for calls of `work` in a context: warmed up, and with as many calls per sample as it
/// takes to fill about `seconds`.
std::function<double()> sampler(Context& ctx, std::function<void()> work, Method method, double seconds);

}  // namespace tandem::command
