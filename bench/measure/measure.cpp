#include "bench/measure/measure.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "tandem/array.h"

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
    default:
      return "graph";
  }
}

Method parse_method(std::string_view text) {
  for (const Method m : {Method::cold, Method::graph}) {
    if (text == name(m)) return m;
  }
  return Method::hot;
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
                                   for (auto _ : state) state.SetIterationTime(samples_[row]());
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
  if (method == Method::graph) work = backend(ctx).record(work);
  if (method == Method::cold) {
    const auto bytes = static_cast<std::int64_t>(3 * backend(ctx).cache_bytes());
    auto flush = std::make_shared<Array<std::byte>>(ctx, bytes);
    return [&ctx, work, flush] {
      backend(ctx).fill(flush->data(), 1, flush->bytes());
      return backend(ctx).seconds(work);
    };
  }
  const double once = std::min(backend(ctx).seconds(work), backend(ctx).seconds(work));
  const int calls = std::clamp(static_cast<int>(seconds / std::max(once, 1e-9)), 1, 1000);
  return [&ctx, work, calls] {
    const double total = backend(ctx).seconds([&] {
      for (int i = 0; i < calls; ++i) work();
    });
    return total / calls;
  };
}

}  // namespace tandem::command
