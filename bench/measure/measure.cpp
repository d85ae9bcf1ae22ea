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

constexpr int kChain = 20;  // calls in a graph

/// Threads of libraries wait awake for some milliseconds after a call, and would take a core from the row that
/// is timed next: waits until this process uses no processor.
void wait_until_quiet() {
  constexpr std::chrono::microseconds kLook{200}, kMost{50000};
  for (std::chrono::microseconds waited{0}; waited < kMost; waited += kLook) {
    const std::clock_t before = std::clock();
    std::this_thread::sleep_for(kLook);
    const double used = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    if (used < 0.1 * std::chrono::duration<double>(kLook).count()) return;
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
    default:
      return "behind";
  }
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method m : kMethods) names.emplace_back(name(m));
  return names;
}

Method parse_method(std::string_view text) {
  for (const Method m : kMethods) {
    if (text == name(m)) return m;
  }
  throw InvalidArgument(fmt::format("--method is '{}'; known: {}{}", text, fmt::join(method_names(), ", "),
                                    did_you_mean(text, method_names())));
}

const char* const kMethodsMeaning =
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

std::size_t Measurement::add(std::function<double()> sample) {
  samples_.push_back(std::move(sample));
  return samples_.size() - 1;
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
  for (std::size_t row = 0; row < samples_.size(); ++row) {
    benchmark::RegisterBenchmark(std::to_string(row).c_str(),
                                 [this, row, &done, &progress](benchmark::State& state) {
                                   for (auto _ : state) {
                                     wait_until_quiet();
                                     state.SetIterationTime(samples_[row]());
                                   }
                                   progress(++done);
                                 })
        ->Iterations(1)
        ->Repetitions(repetitions)
        ->UseManualTime();
  }
  Collector collector(samples_.size());
  benchmark::RunSpecifiedBenchmarks(&collector);
  benchmark::ClearRegisteredBenchmarks();

  std::vector<Timing> timings;
  for (std::vector<double>& times : collector.times) {
    std::sort(times.begin(), times.end());
    const double median = quantile(times, 0.5);
    timings.push_back({median, (quantile(times, 0.75) - quantile(times, 0.25)) / median, times[0], times});
  }
  return timings;
}

std::function<double()> sampler(Context& ctx, std::function<void()> work, Method method, double seconds) {
  work();  // the first call allocates and loads code
  ctx.synchronize();
  if (method == Method::cold) {
    const auto flush =
        std::make_shared<Stream>(ctx, 1, false, 3 * static_cast<double>(backend(ctx).cache_bytes()));
    return [&ctx, work, flush] {
      (*flush)();  // reads alone: no line is left to be written back while the call is timed
      return backend(ctx).seconds(work);
    };
  }
  if (method == Method::host) {
    constexpr int kCalls = 16;  // few enough for the device's queue
    return [&ctx, work] {
      ctx.synchronize();
      const auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < kCalls; ++i) work();
      const std::chrono::duration<double> total = std::chrono::steady_clock::now() - start;
      ctx.synchronize();
      return total.count() / kCalls;
    };
  }
  double once = backend(ctx).seconds(work);
  if (once < seconds) once = std::min(once, backend(ctx).seconds(work));
  const auto repeats = [seconds](double one, int most) {
    return std::clamp(static_cast<int>(seconds / std::max(one, 1e-9)), 1, most);
  };
  if (method == Method::behind) {
    constexpr double kNeutral = 20e-6;
    const int calls = repeats(once + kNeutral, 1000);
    return [&ctx, work, calls] {
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
  }
  const int chain = method == Method::graph ? repeats(once, kChain) : 1;
  std::function<void()> timed = work;
  if (method == Method::graph) {
    timed = backend(ctx).record([&] {
      for (int i = 0; i < chain; ++i) work();
    });
  }
  const int calls = repeats(once * chain, 1000);
  return [&ctx, work, timed, calls, chain] {  // work holds the memory that a graph uses
    const double total = backend(ctx).seconds([&] {
      for (int i = 0; i < calls; ++i) timed();
    });
    return total / (calls * chain);
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
