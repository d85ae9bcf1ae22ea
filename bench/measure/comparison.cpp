#include "bench/measure/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>

#include "bench/measure/bounds.h"
#include "tandem/error.h"

namespace tandem::command {

double Group::rate(const Row& row) const {
  return (operation->bound == Bound::flops ? work().operations : work().bytes) / row.time.seconds * 1e-9;
}

std::optional<double> Group::vs_vendor(const Row& row) const {
  double best = 0;
  for (const Row& other : rows) {
    if (other.timed && other.implementation->path == "vendor" && !other.implementation->reduced_precision &&
        other.implementation->place == row.implementation->place) {
      if (best == 0 || other.time.seconds < best) best = other.time.seconds;
    }
  }
  if (best == 0) return {};
  return best / row.time.seconds;
}

std::optional<double> Group::vs_previous(const Row& row) const {
  std::optional<double> ratio;
  if (row.implementation->path != "custom") return ratio;
  for (const Row& other : rows) {
    if (&other == &row) break;
    if (other.timed && other.implementation->path == "custom" &&
        other.implementation->place == row.implementation->place) {
      ratio = other.time.seconds / row.time.seconds;
    }
  }
  return ratio;
}

std::string extents(const Trial& trial) {
  return trial.extents.empty() ? "n = " + show_size(trial.n) : trial.extents;
}

std::string Comparison::BoundKey::name() const {
  if (bound == Bound::flops) return fmt::format("multiply-add {}", tandem::name(type));
  return bound == Bound::read ? "read" : "copy";
}

Comparison::BoundKey Comparison::key(const Group& group, bool on_device) {
  const Bound bound = group.operation->bound;
  return {on_device, bound, bound == Bound::flops ? group.id().type : Type::f32};
}

const Group& Comparison::run(const Operation& op, int case_index, Trial given,
                             const std::vector<const Implementation*>& implementations,
                             const std::string& progress) {
  Group& group = groups_.emplace_back(Group{&op, case_index, std::move(given), {}});
  op.require_memory(group.id(), group.trial, Place::device);  // work() already takes some for lists
  Trial small_trial = group.trial;
  // The executor runs kernels for their results alone, so it is given no more than shows that they are right.
  const Trial enough = op.benchmarks(group.id(), op.executor_size, seed_).at(0);
  if (group.work().operations > op.work(group.id(), enough).operations) {
    small_trial = enough;
    if (!group.trial.inputs.data.empty()) small_trial.inputs = group.trial.inputs;
  }
  const Implementation* const automatic[] = {automatic_choice(op, case_index, group.trial, Place::host),
                                             automatic_choice(op, case_index, group.trial, Place::device)};
  std::map<Place, std::unique_ptr<Problem>> problems;
  Measurement measurement;
  for (const Implementation* i : implementations) {
    progress_.show(
        fmt::format("{}: checking {} {} {}", progress, i->name, group.id().str(), group.trial.str()));
    Row row;
    row.implementation = i;
    row.automatic = i == automatic[0] || i == automatic[1];
    row.reason = i->unavailable();
    Context* ctx = contexts_.of(i->place);
    const bool on_executor = i->place == Place::simt;
    const Trial& trial = on_executor ? small_trial : group.trial;
    if (row.reason.empty()) row.reason = why_not(op, *i, group.id(), trial);
    if (row.reason.empty() && method_ == Method::graph) {
      if (i->place != Place::device)
        row.reason = "a CUDA graph needs a GPU";
      else if (i->synchronises)
        row.reason = "returns to the host: no graph";
    }
    if (row.reason.empty()) {
      auto& problem = problems[i->place];
      const auto asked = std::tuple(i, case_index, trial.str());
      row.checked = true;
      if (const auto known = on_executor_.find(asked); known != on_executor_.end()) {
        row.verdict = known->second;  // tables of several sizes give the executor one trial
      } else {
        if (!problem) problem = op.make(*ctx, case_index, trial);
        row.verdict = check(*i, case_index, *problem, *ctx, trial.n);
        if (on_executor) on_executor_.emplace(asked, row.verdict);
      }
      if (!row.verdict.correct)
        row.reason = row.verdict.text;
      else if (on_executor)
        row.reason = fmt::format("checked on the CPU at {}; no time", extents(trial));
      else
        row.timed = measurement.add(sample_of(*i, case_index, *problem, *ctx));
    }
    group.rows.push_back(std::move(row));
  }
  if (measurement.size() == 0) return group;
  for (const bool on_device : {false, true}) measure_bounds(group, on_device);
  const auto timings = measurement.run(repetitions_, [&](std::size_t done) {
    progress_.show(fmt::format("{}: timing {} {}, {} of {} samples", progress, op.name, extents(group.trial),
                               done, measurement.size() * static_cast<std::size_t>(repetitions_)));
  });
  for (Row& row : group.rows) {
    if (row.timed) row.time = timings[*row.timed];
  }
  progress_.clear();
  return group;
}

const Implementation* Comparison::automatic_choice(const Operation& op, int case_index, const Trial& trial,
                                                   Place place) {
  Context* ctx = contexts_.of(place);
  try {
    return ctx ? op.choose(*ctx, case_index, trial).implementation : nullptr;
  } catch (const Unavailable&) {
    return nullptr;
  }
}

std::function<double()> Comparison::sample_of(const Implementation& i, int case_index, Problem& problem,
                                              Context& ctx) {
  const void* args = problem.args();
  auto work = [&i, case_index, args, &ctx] { tandem::run(i, case_index, args, ctx, "timed"); };
  return sampler(ctx, work, method_, ctx.place() == Place::device ? 0.004 : 0.02);
}

void Comparison::measure_bounds(const Group& group, bool on_device) {
  Context* ctx = contexts_.of(on_device ? Place::device : Place::host);
  if (!ctx) return;
  for (const BoundKey& bound : {BoundKey{on_device, Bound::read, Type::f32},
                                BoundKey{on_device, Bound::copy, Type::f32}, key(group, on_device)}) {
    progress_.show("measuring what bounds this machine: " + bound.name());
    Measurement measurement;
    const auto measure = [&](auto& loop, double amount) {
      measurement.add(sampler(
          *ctx, [&loop] { loop(); }, Method::hot, 0));
      rates_[bound] = std::max(rates_[bound], amount / measurement.run(3, [](std::size_t) {})[0].least);
    };
    if (bound.bound == Bound::flops) {
      MultiplyAdds loop(*ctx, bound.type);
      measure(loop, loop.operations());
    } else {
      Stream loop(*ctx, bound.bound);
      measure(loop, loop.bytes());
    }
  }
}

void Comparison::require_something() const {
  std::string reason;
  for (const Group& group : groups_) {
    for (const Row& row : group.rows) {
      if (row.checked) return;
      if (reason.empty()) reason = row.implementation->name + ": " + row.reason;
    }
  }
  if (reason.empty()) throw InvalidArgument("no implementation matches --only and --place; see: tandem list");
  throw Unavailable(reason);
}

std::optional<double> Comparison::busy() const {
  constexpr double kBusy = 0.25;
  std::vector<double> spreads;
  for (const Group& group : groups_) {
    for (const Row& row : group.rows) {
      if (row.timed && row.implementation->place == Place::host) spreads.push_back(row.time.spread);
    }
  }
  if (spreads.empty()) return {};
  const auto middle = spreads.begin() + static_cast<std::ptrdiff_t>(spreads.size() / 2);
  std::nth_element(spreads.begin(), middle, spreads.end());
  return *middle > kBusy ? std::optional(*middle) : std::nullopt;
}

bool Comparison::correct() const {
  bool good = true;
  for (const Group& group : groups_) {
    for (const Row& row : group.rows) good &= row.verdict.correct;
  }
  return good;
}

std::optional<double> Comparison::bound_fraction(const Group& group, const Row& row) {
  if (group.operation->bound != Bound::flops && method_ != Method::cold &&
      group.work().bytes < 2.0 * static_cast<double>(backend(*context(row)).cache_bytes())) {
    return {};
  }
  return group.rate(row) * 1e9 / bound(group, row.implementation->place == Place::device);
}

void Comparison::print_bounds() const {
  fmt::print("\n");
  for (const auto& [key, rate] : rates_) {
    fmt::print("bound: {} {} {:.4g} {}\n",
               key.on_device ? contexts_.device->description() : contexts_.host.description(), key.name(),
               rate * 1e-9, key.bound == Bound::flops ? "GFLOP/s" : "GB/s");
  }
}

Json Comparison::to_json(const Group& group, const Row& row) {
  const Implementation& i = *row.implementation;
  const auto maybe = [&](auto value) { return row.timed ? Json(value) : Json(nullptr); };
  const auto ratio = [&](std::optional<double> r) { return row.timed && r ? Json(*r) : Json(nullptr); };
  Json samples = Json::array();
  for (const double seconds : row.time.samples) samples.push_back(std::round(seconds * 1e11) / 100);
  return {{"operation", group.operation->name},
          {"implementation", i.name},
          {"path", i.path},
          {"place", name(i.place)},
          {"reduced_precision", i.reduced_precision},
          {"type", name(group.id().type)},
          {"op", name(group.id().op)},
          {"variant", group.trial.variant},
          {"n", group.trial.n},
          {"shape", group.trial.extents},
          {"correct", row.checked ? Json(row.verdict.correct) : Json(nullptr)},
          {"worst_error",
           row.checked && std::isfinite(row.verdict.worst) ? Json(row.verdict.worst) : Json(nullptr)},
          {"time_ns", maybe(row.time.seconds * 1e9)},
          {"spread", maybe(row.time.spread)},
          {"samples_ns", samples},
          {"method", name(method_)},
          {"rate", row.timed ? Json(group.rate(row)) : Json(nullptr)},
          {"unit", group.unit()},
          {"flop_per_byte", group.intensity()},
          {"bound_fraction", row.timed ? ratio(bound_fraction(group, row)) : Json(nullptr)},
          {"vs_vendor", ratio(group.vs_vendor(row))},
          {"vs_previous", ratio(group.vs_previous(row))},
          {"reason", row.reason}};
}

Json machine(const Contexts& contexts, const std::string& method, int repetitions) {
  char date[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
#ifdef __clang__
  const char* const compiler = __VERSION__;
#else
  const char* const compiler = "g++ " __VERSION__;
#endif
  return {{"schema", 1},
          {"date", date},
          {"version", TANDEM_VERSION_STRING},
          {"compiler", compiler},
          {"host", contexts.host.description()},
          {"device", contexts.device ? Json(contexts.device->description()) : Json(nullptr)},
          {"method", method},
          {"repetitions", repetitions}};
}

Json Comparison::machine() const {
  Json bounds = Json::object(), arithmetic = Json::object();
  for (const auto& [key, rate] : rates_) {
    const std::string place = key.on_device ? "device_" : "host_";
    if (key.bound == Bound::flops)
      arithmetic[place + std::string(name(key.type))] = rate * 1e-9;
    else
      bounds[place + key.name()] = rate * 1e-9;
  }
  Json all = command::machine(contexts_, name(method_), repetitions_);
  all["bounds_gb_per_s"] = bounds;
  all["bounds_gflop_per_s"] = arithmetic;
  return all;
}

}  // namespace tandem::command
