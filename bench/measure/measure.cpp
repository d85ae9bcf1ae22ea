#include "bench/measure/measure.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <memory>
#include <thread>

#include "bench/measure/bounds.h"
#include "bench/measure/device.h"
#include "lib/core/library_call.h"
#include "lib/core/names.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

// Keeps the time of every repetition; Google Benchmark reports them in shuffled order.
class Collector : public benchmark::BenchmarkReporter {
 public:
  explicit Collector(std::size_t rows) : times(rows) {}
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      times[std::stoul(run.run_name.function_name)].push_back(run.real_accumulated_time /
                                                              static_cast<double>(run.iterations));
    }
  }
  std::vector<std::vector<double>> times;
};

constexpr int kChain = 20;        // calls in a graph
constexpr int kMostCalls = 1000;  // in a sample
constexpr double kLong = 0.25;    // seconds of a call

/// Threads of libraries wait awake for some milliseconds after a call, and would take a core from the row that
/// is timed next: waits until this process uses less than a quarter of one. (To sleep and to look can take a seventh.)
void wait_until_quiet() {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds kLook{200}, kMost{50000};
  for (const auto first = Clock::now(); Clock::now() - first < kMost;) {
    const auto begin = Clock::now();
    const std::clock_t before = std::clock();
    std::this_thread::sleep_for(kLook);
    const double used = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    if (used < 0.25 * std::chrono::duration<double>(Clock::now() - begin).count()) return;
  }
}

double quantile(const std::vector<double>& sorted, double q) {
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

const char* name(Method method) {
  switch (method) {
    case Method::hot:
      return "hot";
    case Method::cold:
      return "cold";
    case Method::graph:
      return "graph";
    case Method::host:
      return "host";
    case Method::behind:
      return "behind";
    case Method::pageable:
      return "pageable";
    case Method::pinned:
      return "pinned";
    default:
      return "managed";
  }
}

std::vector<std::string> method_names(bool end_to_end) {
  std::vector<std::string> names;
  for (const Method m : kCallMethods) names.emplace_back(name(m));
  for (const Method m : kEndToEndMethods) {
    if (end_to_end) names.emplace_back(name(m));
  }
  return names;
}

Method parse_method(std::string_view text, bool end_to_end) {
  const std::vector<std::string> names = method_names(end_to_end);
  const auto found = std::ranges::find(names, text);
  if (found == names.end()) {
    throw InvalidArgument(fmt::format("--method is '{}'; known: {}{}", text, fmt::join(names, ", "),
                                      did_you_mean(text, names)));
  }
  return static_cast<Method>(found - names.begin());
}

const char* const kEndToEndMeaning =
    "from end to end, copies to the GPU and back among it: pageable, pinned: from and to such memory of the "
    "CPU; "
    "managed: the GPU's memory is managed";
const char* const kCallMethodsMeaning =
    "hot: back to back; cold: other memory read through the caches before each call; graph: chains of calls "
    "as a CUDA graph; host: until the call returns; behind: each behind a neutral kernel, whose time is "
    "taken "
    "off";

std::string why_not(Method method, Place place) {
  if (place == Place::device) return {};
  switch (method) {
    case Method::graph:
      return "a CUDA graph needs a GPU";
    case Method::host:
      return "returns when it is done: hot says how long that takes";
    case Method::behind:
      return "a neutral kernel needs a GPU";
    default:
      return {};
  }
}

Timing timing_of(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const double median = quantile(samples, 0.5), least = samples[0];
  return {median, (quantile(samples, 0.75) - quantile(samples, 0.25)) / median, least, std::move(samples)};
}

std::size_t Measurement::add(Sampler sampler) {
  rows_.push_back(std::move(sampler));
  return rows_.size() - 1;
}

int Measurement::repetitions_of(const Sampler& row, int repetitions) const {
  constexpr double kHopeless = 10;
  double least = row.seconds;
  for (const Sampler& other : rows_) {
    if (other.seconds > 0) least = std::min(least, other.seconds);
  }
  return row.seconds > std::max(kLong, kHopeless * least) ? 1 : repetitions;
}

std::size_t Measurement::samples(int repetitions) const {
  std::size_t count = 0;
  for (const Sampler& row : rows_) count += static_cast<std::size_t>(repetitions_of(row, repetitions));
  return count;
}

std::vector<Timing> Measurement::run(int repetitions, const std::function<void(std::size_t)>& progress) {
  static const bool initialised = [] {
    char program[] = "tandem", shuffle[] = "--benchmark_enable_random_interleaving=true";
    char* arguments[] = {program, shuffle, nullptr};
    int count = 2;
    benchmark::Initialize(&count, arguments);
    return true;
  }();
  (void)initialised;
  benchmark::ClearRegisteredBenchmarks();
  std::size_t done = 0;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    benchmark::RegisterBenchmark(std::to_string(row).c_str(),
                                 [this, row, &done, &progress](benchmark::State& state) {
                                   for (auto _ : state) {
                                     wait_until_quiet();
                                     state.SetIterationTime(rows_[row].sample());
                                   }
                                   progress(++done);
                                 })
        ->Iterations(1)
        ->Repetitions(repetitions_of(rows_[row], repetitions))
        ->UseManualTime();
  }
  Collector collector(rows_.size());
  benchmark::RunSpecifiedBenchmarks(&collector);
  benchmark::ClearRegisteredBenchmarks();

  std::vector<Timing> timings;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const std::vector<double>& times = collector.times[row];
    timings.push_back(timing_of(rows_[row].clocks ? at_full_clock(times, *rows_[row].clocks) : times));
  }
  return timings;
}

Sampler sampler(Context& ctx, std::function<void()> work, Method method, double seconds) {
  const double first = backend(ctx).seconds(work);  // allocates, and loads code, which takes no time on a CPU
  const double known = ctx.place() == Place::host ? first : 0;
  if (method == Method::cold) {
    const auto flush =
        std::make_shared<Stream>(ctx, 1, false, 3 * static_cast<double>(backend(ctx).cache_bytes()));
    const auto sample = [&ctx, work, flush] {
      (*flush)();  // reads alone: no line is left to be written back while the call is timed
      return backend(ctx).seconds(work);
    };
    return {sample, known};
  }
  if (method == Method::host) {
    constexpr int kCalls = 16;  // few enough for the device's queue
    const auto sample = [&ctx, work] {
      ctx.synchronize();
      const auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < kCalls; ++i) work();
      const std::chrono::duration<double> total = std::chrono::steady_clock::now() - start;
      ctx.synchronize();
      return total.count() / kCalls;
    };
    return {sample, known};
  }
  double once = known > kLong ? known : backend(ctx).seconds(work);
  if (once < seconds) once = std::min(once, backend(ctx).seconds(work));
  const auto repeats = [seconds](double one, int most) {
    return std::clamp(static_cast<int>(seconds / std::max(one, 1e-9)), 1, most);
  };
  if (method == Method::behind) {
    constexpr double kNeutral = 20e-6;
    const int calls = repeats(once + kNeutral, kMostCalls);
    const auto sample = [&ctx, work, calls] {
      const auto with = [&](bool call) {
        return backend(ctx).seconds([&] {
          for (int i = 0; i < calls; ++i) {
            neutral_kernel(ctx);
            if (call) work();
          }
        });
      };
      return (with(true) - with(false)) / calls;
    };
    return {sample, once};
  }
  const int chain = method == Method::graph ? repeats(once, kChain) : 1;
  std::function<void()> timed = work;
  if (method == Method::graph) {
    timed = backend(ctx).record([&] {
      for (int i = 0; i < chain; ++i) work();
    });
  }
  const int calls = repeats(once * chain, kMostCalls);
  const auto sample = [&ctx, work, timed, calls, chain] {  // work holds the memory that a graph uses
    const double total = backend(ctx).seconds([&] {
      for (int i = 0; i < calls; ++i) timed();
    });
    return total / (calls * chain);
  };
  return {sample, once};
}

std::shared_ptr<EndToEnd> end_to_end(Context& ctx, Problem& problem, Method method) {
  return std::make_shared<EndToEnd>(ctx, problem, [&](std::size_t bytes) {
    return method == Method::pinned ? pinned_memory(ctx, bytes) : std::make_shared<std::byte[]>(bytes);
  });
}

std::function<double()> end_to_end_sampler(std::shared_ptr<EndToEnd> whole, std::function<void()> work,
                                           double seconds, std::shared_ptr<std::vector<Phases>> phases) {
  whole->seconds(work);  // the first call allocates and loads code
  const int calls =
      std::clamp(static_cast<int>(seconds / std::max(whole->seconds(work), 1e-9)), 1, kMostCalls);
  return [work, whole, calls, phases] {
    phases->push_back(whole->phases(work));
    double total = 0;
    for (int i = 0; i < calls; ++i) total += whole->seconds(work);
    return total / calls;
  };
}

std::function<double()> library_sampler(Context& ctx, std::function<void()> work) {
  return [&ctx, work] {
    struct Timed {
      LibraryCall& own;
      ~Timed() { own.timer = nullptr; }
    };
    double seconds = 0;
    const Timed timed{library_call(ctx)};
    timed.own.timer = [&](const std::function<void()>& call) { seconds += backend(ctx).seconds(call); };
    work();
    return seconds;
  };
}

}  // namespace tandem::command
