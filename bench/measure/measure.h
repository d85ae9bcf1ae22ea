#pragma once
// Timing on top of Google Benchmark, which repeats each function and shuffles the repetitions of all of them,
// so that a drift of the clock hits every row alike.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/context_impl.h"

namespace tandem::command {

/// How a time was taken (docs/measuring.md). hot: calls back to back, a stream of them; cold: other memory is
/// read through the caches before each call; graph: a chain of calls, recorded as a CUDA graph; host: until the
/// call returns, while the device is still at work; behind: behind a neutral kernel, whose time is taken off.
enum class Method { hot, cold, graph, host, behind };
inline constexpr Method kMethods[] = {Method::hot, Method::cold, Method::graph, Method::host, Method::behind};
const char* name(Method method);
/// InvalidArgument for any other name.
Method parse_method(std::string_view text);
/// For help texts: what each method means.
extern const char* const kMethodsMeaning;
/// For help texts: "hot, cold, …".
std::vector<std::string> method_names();
/// Why a method says nothing of a place; empty where it does.
std::string why_not(Method method, Place place);

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

/// A sample function for the library's own call within `work`, which also copies (lib/core/library_call.h): on
/// a device between two events, behind the copies.
std::function<double()> library_sampler(Context& ctx, std::function<void()> work);

}  // namespace tandem::command
