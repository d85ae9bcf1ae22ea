#include "bench/measure/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "tandem/error.h"

namespace tandem::command {
namespace {

constexpr int kUsualRepetitions = 9;

/// Why a path has no time beside the automatic choice on a trial; empty where it has.
std::string why_no_time(Context& ctx, const Operation& op, const Implementation& i, CaseId id,
                        const Trial& trial, Method method, Paths::Purpose purpose) {
  if (std::string reason = i.unavailable(); !reason.empty()) return reason;
  if (i.reduced_precision()) return "computes in reduced precision";
  if (!i.ever_chosen() && (purpose == Paths::Purpose::tune || i.path != "vendor"))
    return "is never the automatic choice";
  if (i.synchronises && method == Method::graph) return "returns to the host, so it cannot be captured";
  if (std::string reason = why_not(method, ctx.place()); !reason.empty()) return reason;
  // A definition may take n² steps; what does not suit a shape is not the choice there.
  constexpr double kUnsuitedBytes = 1 << 16;
  const bool needless = purpose == Paths::Purpose::tune || (i.path == "custom" && i.step == 0);
  if (needless && !i.suited(op.shape(trial)) && op.work(id, trial).bytes > kUnsuitedBytes)
    return "does not suit this shape: timed on smaller ones, of no more than 64 KiB";
  return why_not(op, i, id, trial);
}

/// Seconds of a call that has been made before: of two, unless the first is so long that what it may have prepared (a library's plan, a
/// kernel's code on a GPU) cannot be most of it.
double once(Context& ctx, const std::function<void()>& work) {
  const double most_to_prepare = ctx.place() == Place::device ? 1 : 0.02;
  const double first = backend(ctx).seconds(work);
  return first > most_to_prepare ? first : std::min(first, backend(ctx).seconds(work));
}

}  // namespace

void require_automatic_choice() {
  if (const char* forced = std::getenv("TANDEM_USE"); forced && *forced) {
    throw InvalidArgument(fmt::format(
        "TANDEM_USE is '{}', which leaves the automatic choice nothing to choose; unset it", forced));
  }
}

Paths::Paths(Context& ctx, const Operation& op, int case_index, const Trial& trial, Method method,
             double seconds, Purpose purpose)
    : problem_(op.make(ctx, case_index, trial)), choice_(op.choose(ctx, case_index, trial)) {
  const CaseId id = op.cases[static_cast<std::size_t>(case_index)];
  problem_->reset();
  const void* args = problem_->args();
  std::vector<double> calls;  // seconds of one; of paths_
  for (const Implementation& i : implementations()) {
    if (i.operation != op.name || i.place != ctx.place()) continue;
    Path path{&i,    why_no_time(ctx, op, i, id, trial, method, purpose), false,
              false, i.ever_chosen() && op.choosable(i, id, trial),       {}};
    double call = std::numeric_limits<double>::infinity();
    if (path.reason.empty()) {
      try {
        if (purpose == Purpose::audit) {
          const Verdict verdict = check(i, case_index, *problem_, ctx, trial.n);
          path.wrong = !verdict.correct && !outside_promise(i, trial, verdict);
          path.reason = verdict.text;
        }
        if (path.reason.empty()) call = once(ctx, [&] { run(i, case_index, args, ctx, "timed"); });
      } catch (const DeviceError& error) {
        throw DeviceError(fmt::format("{} {} {}: {}", i.name, id.str(), trial.str(), error.what()));
      }
    }
    paths_.push_back(std::move(path));
    calls.push_back(call);
  }
  // What takes many times as long as the fastest that may be chosen cannot win; a short call may be slow by chance.
  constexpr double kHopeless = 5, kShort = 50e-6;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t p = 0; p < calls.size(); ++p)
    if (paths_[p].implementation->ever_chosen()) least = std::min(least, calls[p]);
  const double most = std::min(kHopeless * least + kShort, std::numeric_limits<double>::max());
  const auto timed = 1 + std::count_if(calls.begin(), calls.end(), [&](double call) { return call <= most; });
  const double sample = seconds / static_cast<double>(timed * kUsualRepetitions);
  double round = 0;
  for (const double call : calls) round += call <= most ? std::max(call, sample) : 0;
  slowness_ = std::max(1.0, round / (sample * static_cast<double>(timed)));
  // Every call pays for a choice, whatever it runs.
  const auto call_of = [&](const Implementation* forced) {
    const auto work = [=, &ctx, &op] {
      const Choice choice = op.choose(ctx, case_index, trial);
      run(forced ? *forced : *choice.implementation, case_index, args, ctx, choice.why);
    };
    return sampler(ctx, work, method, sample).sample;
  };
  for (std::size_t p = 0; p < paths_.size(); ++p) {
    samples_.emplace_back();
    if (!paths_[p].reason.empty()) continue;
    if (calls[p] > most) {
      paths_[p].reason = "many times slower than the fastest: not timed";
      paths_[p].hopeless = true;
      continue;
    }
    samples_[p] = call_of(paths_[p].implementation);
  }
  automatic_sample_ = call_of(nullptr);
}

void Paths::measure(int repetitions) {
  const Path* const best = fastest(Among::choices);
  const double least = best ? best->time.seconds : std::numeric_limits<double>::infinity();
  Measurement measurement;
  const std::size_t automatic = measurement.add(automatic_sample_);
  std::vector<std::pair<Path*, std::size_t>> timed;
  for (std::size_t p = 0; p < paths_.size(); ++p) {
    if (samples_[p] && paths_[p].time.seconds <= 2 * least)
      timed.emplace_back(&paths_[p], measurement.add(samples_[p]));
  }
  constexpr int kFewest = 3;
  const auto affordable = static_cast<int>(repetitions / slowness_);
  const std::vector<Timing> timings = measurement.run(std::max(kFewest, affordable), [](std::size_t) {});
  automatic_ = timings[automatic];
  for (const auto& [path, row] : timed) path->time = timings[row];
}

const Paths::Path* Paths::fastest(Among among) const {
  const Path* best = nullptr;
  for (const Path& path : paths_) {
    if (path.time.seconds == 0 ||
        !(among == Among::libraries ? path.rival() : path.implementation->ever_chosen()))
      continue;
    if (!best || path.time.seconds < best->time.seconds) best = &path;
  }
  return best;
}

bool Paths::wrong() const {
  return std::any_of(paths_.begin(), paths_.end(), [](const Path& path) { return path.wrong; });
}

}  // namespace tandem::command
