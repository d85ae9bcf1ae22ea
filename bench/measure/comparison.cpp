#include "bench/measure/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>

#include "bench/measure/bounds.h"
#include "bench/measure/commit.h"
#include "bench/measure/device.h"
#include "lib/core/library_call.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

/// How long a sample of calls lasts.
double sample_seconds(Place place) { return place == Place::device ? 0.004 : 0.01; }

/// Whether a call starts early; unknown where it cannot be captured.
std::optional<bool> early(Context& ctx, const std::function<void()>& work) {
  try {
    return starts_early(ctx, work);
  } catch (const DeviceError&) {
    return {};
  }
}

}  // namespace

double Group::rate(const Row& row) const {
  return (operation->bound == Bound::flops ? work().operations : work().bytes) / row.time.seconds * 1e-9;
}

std::optional<Phases> Row::median_phases() const {
  if (phases->empty()) return {};
  const auto median = [&](double Phases::*part) {
    std::vector<double> all;
    for (const Phases& p : *phases) all.push_back(p.*part);
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    return *middle;
  };
  return Phases{median(&Phases::there), median(&Phases::call), median(&Phases::back)};
}

std::optional<double> Group::vs_vendor(const Row& row) const {
  double best = 0;
  for (const Row& other : rows) {
    if (other.competes() && other.implementation->path == "vendor" &&
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

Comparison::Comparison(int repetitions, std::uint64_t seed)
    : repetitions_(repetitions),
      seed_(seed),
      clocks_(contexts_.device ? pci_address(*contexts_.device) : std::string()) {}

void Comparison::add(Row& row, Measurement& measurement, Sampler sampler) {
  if (row.implementation->place == Place::device) {
    sampler.sample = [this, sample = std::move(sampler.sample), clocks = row.clocks] {
      const double seconds = sample();
      if (const auto reading = clocks_.read()) clocks->push_back(*reading);
      return seconds;
    };
    sampler.clocks = row.clocks;
  }
  row.timed = measurement.add(std::move(sampler));
}

const Group& Comparison::run(const Operation& op, int case_index, Trial given, Method method,
                             const std::vector<const Implementation*>& implementations,
                             std::size_t all_rows) {
  Group& group = groups_.emplace_back(Group{&op, case_index, std::move(given), method, {}, {}});
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
  std::shared_ptr<EndToEnd> from_host;  // the device's problem, from end to end
  Measurement measurement;
  for (const Implementation* i : implementations) {
    progress_.show(fmt::format("row {} of {}: checking {} {} {}", ++rows_done_, all_rows, i->name,
                               group.id().str(), group.trial.str()));
    Row row;
    row.implementation = i;
    row.automatic = i == automatic[0] || i == automatic[1];
    row.reason = i->unavailable();
    Context* ctx = contexts_.of(i->place);
    if (row.reason.empty()) {
      try {
        ctx = context_for(method, i->place);
      } catch (const Unavailable& error) {
        row.reason = error.what();
      }
    }
    const bool on_executor = i->place == Place::simt;
    const Trial& trial = on_executor ? small_trial : group.trial;
    if (row.reason.empty()) row.reason = why_not(op, *i, group.id(), trial);
    if (row.reason.empty()) row.reason = why_not(method, i->place);
    if (row.reason.empty() && method == Method::graph && i->synchronises)
      row.reason = "returns to the host: no graph";
    if (!row.reason.empty()) {
      group.rows.push_back(std::move(row));
      continue;
    }
    auto& problem = problems[i->place];
    const auto asked = std::tuple(i, case_index, trial.str());
    const std::int64_t own_calls = library_call(*ctx).made;
    row.checked = true;
    if (const auto known = on_executor_.find(asked); known != on_executor_.end()) {
      row.verdict = known->second;  // tables of several sizes give the executor one trial
    } else {
      if (!problem) problem = op.make(*ctx, case_index, trial);
      row.verdict = check(*i, case_index, *problem, *ctx, trial.n);
      if (on_executor) on_executor_.emplace(asked, row.verdict);
    }
    row.outside_promise = outside_promise(*i, trial, row.verdict);
    if (!row.verdict.correct || on_executor) {
      row.reason = on_executor && row.verdict.correct
                       ? fmt::format("checked on the CPU at {}; no time", extents(trial))
                       : row.verdict.text;
      group.rows.push_back(std::move(row));
      continue;
    }
    const auto work = [i, case_index, args = problem->args(), ctx] {
      tandem::run(*i, case_index, args, *ctx, "timed");
    };
    double seconds = 0;  // of a call
    if (is_end_to_end(method) && i->place == Place::device) {
      if (!from_host) from_host = end_to_end(*ctx, *problem, method);
      add(row, measurement, {end_to_end_sampler(from_host, work, sample_seconds(i->place), row.phases)});
    } else {
      const Method of_call = is_end_to_end(method) ? Method::hot : method;  // on the CPU nothing is copied
      Sampler of_row = sampler(*ctx, work, of_call, sample_seconds(i->place));
      seconds = of_row.seconds;
      add(row, measurement, std::move(of_row));
    }
    if (i->place == Place::device && !i->synchronises) row.early = early(*ctx, work);
    group.rows.push_back(std::move(row));
    if (method == Method::hot && library_call(*ctx).made > own_calls) {
      Row alone = group.rows.back();
      alone.alone = true;
      alone.automatic = false;
      alone.early.reset();  // known of the whole call only
      alone.clocks = std::make_shared<std::vector<Clocks::Reading>>();
      add(alone, measurement, {library_sampler(*ctx, work), seconds});
      group.rows.push_back(std::move(alone));
    }
  }
  if (measurement.size() == 0) return group;

  struct Bounding {
    Place place;
    std::size_t row;  // of the measurement
    double amount;
  };
  std::vector<Bounding> bounding;
  for (const Place place : {Place::host, Place::device}) {
    const bool timed = std::any_of(group.rows.begin(), group.rows.end(), [&](const Row& row) {
      return row.timed && row.implementation->place == place;
    });
    if (!timed || !has_rate(method)) continue;
    measure_large(group, place);
    Context& ctx = *contexts_.of(place);
    for (Pass& pass : passes(ctx, op.bound, group.id().type, group.work())) {
      Sampler of_pass = sampler(ctx, std::move(pass.run), method, sample_seconds(place));
      bounding.push_back({place, measurement.add(std::move(of_pass.sample)), pass.amount});
    }
  }
  const auto timings = measurement.run(repetitions_, [&](std::size_t done) {
    progress_.show(fmt::format("row {} of {}: timing {} {}, {} of {} samples of its table", rows_done_,
                               all_rows, op.name, extents(group.trial), done,
                               measurement.samples(repetitions_)));
  });
  for (const Bounding& b : bounding)
    group.bounds[b.place] = std::max(group.bounds[b.place], b.amount / timings[b.row].seconds);
  for (Row& row : group.rows) {
    if (!row.timed) continue;
    row.time = timings[*row.timed];
    const auto bound = group.bounds.find(row.implementation->place);
    if (row.competes() && bound != group.bounds.end())
      bound->second = std::max(bound->second, group.rate(row) * 1e9);
  }
  progress_.clear();
  return group;
}

Context* Comparison::context_for(Method method, Place place) {
  if (method != Method::managed || place != Place::device) return contexts_.of(place);
  if (!managed_) managed_ = std::make_unique<Context>(Context::managed());
  return managed_.get();
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

void Comparison::measure_large(const Group& group, Place place) {
  constexpr double kLarge = 1e18;  // bytes: as much as a stream takes
  Context& ctx = *contexts_.of(place);
  const bool on_device = place == Place::device;
  std::vector<BoundKey> keys{{on_device, Bound::read, Type::f32}, {on_device, Bound::copy, Type::f32}};
  if (group.operation->bound == Bound::flops) keys.push_back({on_device, Bound::flops, group.id().type});
  for (const BoundKey& key : keys) {
    if (rates_.contains(key)) continue;
    progress_.show("measuring what bounds this machine: " + key.name());
    Measurement measurement;
    std::vector<double> amounts;
    for (Pass& pass : passes(ctx, key.bound, key.type, {kLarge, 0})) {
      amounts.push_back(pass.amount);
      measurement.add(sampler(ctx, std::move(pass.run), Method::hot, 0).sample);
    }
    const auto timings = measurement.run(3, [](std::size_t) {});
    for (std::size_t p = 0; p < amounts.size(); ++p)
      rates_[key] = std::max(rates_[key], amounts[p] / timings[p].least);
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
      if (row.timed && row.implementation->place == Place::host && row.time.samples.size() > 1)
        spreads.push_back(row.time.spread);
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
    for (const Row& row : group.rows) good &= !row.wrong();
  }
  return good;
}

std::optional<double> Comparison::bound_fraction(const Group& group, const Row& row) {
  const auto bound = group.bounds.find(row.implementation->place);
  if (!row.competes() || bound == group.bounds.end()) return {};
  if (group.operation->bound != Bound::flops && group.method != Method::cold &&
      group.work().bytes < 2.0 * static_cast<double>(backend(*context(row)).cache_bytes())) {
    return {};
  }
  return group.rate(row) * 1e9 / bound->second;
}

void Comparison::print_bounds() const {
  fmt::print("\n");
  for (const auto& [key, rate] : rates_) {
    print_note(fmt::format("bound: {} {} {:.4g} {}",
                           key.on_device ? contexts_.device->description() : contexts_.host.description(),
                           key.name(), rate * 1e-9, key.bound == Bound::flops ? "GFLOP/s" : "GB/s"));
  }
  if (const std::string clocks = clocks_.text(); !clocks.empty()) print_note(clocks);
}

Json Comparison::to_json(const Group& group, const Row& row) {
  const Implementation& i = *row.implementation;
  const auto maybe = [&](auto value) { return row.timed ? Json(value) : Json(nullptr); };
  const auto ratio = [&](std::optional<double> r) { return row.timed && r ? Json(*r) : Json(nullptr); };
  const auto bound = group.bounds.find(i.place);
  const std::optional<Phases> phases = row.median_phases();
  const auto phase = [&](double Phases::*part) {
    return phases ? Json((*phases).*part * 1e9) : Json(nullptr);
  };
  Json samples = Json::array();
  for (const double seconds : row.time.samples) samples.push_back(std::round(seconds * 1e11) / 100);
  return {
      {"operation", group.operation->name},
      {"implementation", row.name()},
      {"path", i.path},
      {"place", name(i.place)},
      {"reduced_precision", i.reduced_precision()},
      {"alone", row.alone},
      {"starts_early", row.early ? Json(*row.early) : Json(nullptr)},
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
      {"phases_ns",
       {{"there", phase(&Phases::there)}, {"call", phase(&Phases::call)}, {"back", phase(&Phases::back)}}},
      {"method", name(group.method)},
      {"sm_mhz", row.clocks->empty() ? Json(nullptr) : Json(median_sm_mhz(*row.clocks))},
      {"rate", row.timed && has_rate(group.method) ? Json(group.rate(row)) : Json(nullptr)},
      {"unit", group.unit()},
      {"flop_per_byte", group.intensity()},
      {"bound", bound == group.bounds.end() ? Json(nullptr) : Json(bound->second * 1e-9)},
      {"bound_fraction", row.timed ? ratio(bound_fraction(group, row)) : Json(nullptr)},
      {"vs_vendor", ratio(group.vs_vendor(row))},
      {"vs_previous", ratio(group.vs_previous(row))},
      {"reason", row.reason}};
}

Json machine(const Contexts& contexts, const std::string& method, int repetitions, const Json& clocks) {
  char date[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
#ifdef __clang__
  const char* const compiler = __VERSION__;
#else
  const char* const compiler = "g++ " __VERSION__;
#endif
  Json machine{{"schema", kSchema},
               {"date", date},
               {"version", TANDEM_VERSION_STRING},
               {"commit", kCommit},
               {"compiler", compiler},
               {"host", contexts.host.description()},
               {"device", contexts.device ? Json(contexts.device->description()) : Json(nullptr)},
               {"clocks", clocks},
               {"method", method},
               {"repetitions", repetitions}};
  if (contexts.device) {
    const DeviceFacts facts = device_facts(*contexts.device);
    machine["cuda"] = facts.cuda;
    machine["driver"] = facts.driver;
  }
  return machine;
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
  std::vector<std::string> methods;  // each once, as they came
  for (const Group& group : groups_) {
    if (std::find(methods.begin(), methods.end(), name(group.method)) == methods.end())
      methods.emplace_back(name(group.method));
  }
  Json all =
      command::machine(contexts_, fmt::format("{}", fmt::join(methods, ", ")), repetitions_, clocks_.json());
  all["bounds_gb_per_s"] = bounds;
  all["bounds_gflop_per_s"] = arithmetic;
  return all;
}

}  // namespace tandem::command
