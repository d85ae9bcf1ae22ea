#pragma once
// Timing on top of Google Benchmark, which repeats each function and shuffles the repetitions of all of them,
// so that a drift of the clock hits every row alike.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/measure/clocks.h"
#include "lib/core/context_impl.h"
#include "lib/harness/end_to_end.h"

namespace tandem::command {

/// How a time was taken (docs/measuring.md). hot: calls back to back, a stream of them; cold: other memory is
/// read through the caches before each call; graph: a chain of calls, recorded as a CUDA graph; host: until the
/// call returns, while the device is still at work; behind: behind a neutral kernel, whose time is taken off.
/// And from end to end, with the copies there and back: pageable, pinned: the CPU's memory is of that kind; managed:
/// pageable, and the device's memory is managed, so that pages move when they are touched.
enum class Method { hot, cold, graph, host, behind, pageable, pinned, managed };
inline constexpr Method kCallMethods[] = {Method::hot, Method::cold, Method::graph, Method::host,
                                          Method::behind};
inline constexpr Method kEndToEndMethods[] = {Method::pageable, Method::pinned, Method::managed};
constexpr bool is_end_to_end(Method method) { return method >= Method::pageable; }
/// Whether bytes or operations per second say something of a time.
constexpr bool has_rate(Method method) { return method != Method::host && !is_end_to_end(method); }
const char* name(Method method);
/// InvalidArgument for any other name, and for methods from end to end unless they are wanted, too.
Method parse_method(std::string_view text, bool end_to_end = false);
/// For help texts: what each method means.
extern const char *const kCallMethodsMeaning, *const kEndToEndMeaning;
/// For help texts: "hot", "cold", …
std::vector<std::string> method_names(bool end_to_end = false);
/// Why a method says nothing of a place; empty where it does.
std::string why_not(Method method, Place place);

struct Timing {
  double seconds = 0;             // median over the repetitions, per call
  double spread = 0;              // (third quartile − first quartile) ÷ median
  double least = 0;               // per call
  std::vector<double> samples{};  // seconds per call, ascending
};

/// What repetitions say, of which there is one at least.
Timing timing_of(std::vector<double> samples);

/// Takes one measurement and returns seconds per call; how long a call takes, about, or 0 where that is not known, as of calls
/// on a GPU that are timed cold, until they return, or from end to end.
struct Sampler {
  std::function<double()> sample;
  double seconds = 0;
  /// Of the GPU behind each sample, as sample() reads them: those of a slowed GPU do not count. Null: none are read.
  std::shared_ptr<const std::vector<Clocks::Reading>> clocks{};
};

class Measurement {
 public:
  /// Returns the row's index. What is published in any case is added as a function alone, without how long it takes.
  std::size_t add(Sampler sampler);
  std::size_t add(std::function<double()> sample) { return add(Sampler{std::move(sample)}); }
  std::size_t size() const { return rows_.size(); }
  /// How many samples run() takes: as many of each row as there are repetitions, but one alone where a call takes more than a
  /// quarter of a second and ten times as long as that of the fastest row of which that is known.
  std::size_t samples(int repetitions) const;
  /// Takes all samples, shuffled; results are in the order of add().
  std::vector<Timing> run(int repetitions, const std::function<void(std::size_t done)>& progress);

 private:
  int repetitions_of(const Sampler& row, int repetitions) const;

  std::vector<Sampler> rows_;
};

/// For calls of `work` on data at hand in a context: warmed up, and with as many calls per sample as it takes to fill
/// about `seconds`.
Sampler sampler(Context& ctx, std::function<void()> work, Method method, double seconds);

/// A problem with its data in the CPU's memory of the method's kind.
std::shared_ptr<EndToEnd> end_to_end(Context& ctx, Problem& problem, Method method);
/// A sample function for calls of `work` from end to end, like sampler(); with each sample the phases of one more call are
/// added to `phases`.
std::function<double()> end_to_end_sampler(std::shared_ptr<EndToEnd> whole, std::function<void()> work,
                                           double seconds, std::shared_ptr<std::vector<Phases>> phases);

/// A sample function for the library's own call within `work`, which also copies (lib/core/library_call.h): on
/// a device between two events, behind the copies.
std::function<double()> library_sampler(Context& ctx, std::function<void()> work);

}  // namespace tandem::command
