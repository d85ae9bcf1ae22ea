#pragma once
// What the times of one shape say of the automatic choice: what it takes from now on, or that they contradict each other.

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bench/measure/paths.h"

namespace tandem::command {

/// Paths within this factor of the fastest stand behind it in a row: for calls that it does not take.
inline constexpr double kClose = 4;
/// A path that is the fastest for usual contents may take this many times as long as another for hard ones.
inline constexpr double kHardMayTake = 2;
inline constexpr std::size_t kMostNames = 4;
/// What is chosen now stays unless another path is faster by this factor.
inline constexpr double kGain = 1.05;
/// Two times of one path that differ by more than this factor, or shares of shapes with such times: noise.
inline constexpr double kNoise = 1.15, kMostUndecided = 0.25;

/// Whether a machine was too busy: of so many shapes so many took times that contradict each other.
inline bool too_busy(std::size_t measured, std::size_t undecided) {
  return static_cast<double>(undecided) > kMostUndecided * static_cast<double>(measured);
}

/// The paths of one shape, and the automatic choice: which it is, and how long it took as such.
struct Measured {
  std::span<const Paths::Path> paths;
  const Implementation* choice;
  Timing automatic;

  Measured(std::span<const Paths::Path> paths, const Implementation* choice, const Timing& automatic)
      : paths(paths), choice(choice), automatic(automatic) {}
  explicit Measured(const Paths& all) : Measured(all.paths(), all.choice().implementation, all.automatic()) {}
};

/// What the measurements of one shape say: the implementations of its row, and how much is won.
struct Decision {
  std::string names;
  const Implementation *before = nullptr, *now = nullptr;
  double gain = 1;  // time of the choice so far ÷ time of the new one
  bool decided = true;
};

inline constexpr double kForEver = std::numeric_limits<double>::infinity();

/// The least time of those that the automatic choice may take.
inline double least_choosable(const Measured& measured) {
  double least = kForEver;
  for (const Paths::Path& path : measured.paths) {
    if (path.time.seconds > 0 && path.choosable) least = std::min(least, path.time.least);
  }
  return least;
}

/// How many times as long as the fastest each path takes, at most, over contents that are hard for some.
using Hardest = std::map<const Implementation*, double>;
inline void include(Hardest& hardest, const Measured& measured) {
  const double fastest = least_choosable(measured);
  for (const Paths::Path& path : measured.paths) {
    if (path.time.seconds == 0 && !path.hopeless) continue;
    double& most = hardest[path.implementation];
    most = std::max(most, path.hopeless ? kForEver : path.time.least / fastest);
  }
}

/// A path is judged by how many times as long as the fastest it takes, or half of that where contents are hard.
inline Decision decide(const Measured& measured, const Hardest& hardest) {
  struct Judged {
    const Paths::Path* path;
    double times;
  };
  std::vector<Judged> judged;
  const Paths::Path* current = nullptr;
  const double fastest = least_choosable(measured);
  double before = kForEver;
  for (const Paths::Path& path : measured.paths) {
    const bool is_current = path.implementation == measured.choice;
    if (is_current) current = &path;
    if (path.time.seconds == 0 || !path.choosable) continue;
    const auto hard = hardest.find(path.implementation);
    const double times =
        std::max(path.time.least / fastest, hard == hardest.end() ? 0 : hard->second / kHardMayTake);
    judged.push_back({&path, times});
    if (is_current) before = times;
  }
  std::stable_sort(judged.begin(), judged.end(), [](auto& a, auto& b) { return a.times < b.times; });
  Decision result{"", measured.choice, measured.choice};
  if (judged.empty()) return {result.before->name, result.before, result.before};
  const Judged& best = judged[0];
  const Timing& automatic = measured.automatic;
  const double gain = automatic.least / best.path->time.least;
  // Least times tell what a path can do, medians what it does; noise makes them disagree.
  const double again = current && current->time.seconds > 0 ? automatic.least / current->time.least : 1;
  const bool noisy = std::max(again, 1 / again) > kNoise && gain < 2;
  const bool wins = before > kGain * best.times;
  result.decided = !noisy && (!wins || gain <= 1 || automatic.seconds > best.path->time.seconds);
  if (best.path != current && wins && result.decided) {
    result.now = best.path->implementation;
    result.gain = gain;
  }
  result.names = result.now->name;
  std::size_t names = 1;
  for (const auto& [path, times] : judged) {
    if (path->implementation == result.now || times > kClose * best.times) continue;
    if (++names > kMostNames) break;
    result.names += " " + path->implementation->name;
  }
  return result;
}

}  // namespace tandem::command
