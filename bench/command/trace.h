#pragma once
// What `tandem report --trace` takes from `tandem trace`; only in builds with the executor.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tandem::command {

/// A step that was traced, on as much as --predict takes.
struct TracedStep {
  std::string implementation;       // without @simt
  nlohmann::ordered_json launches;  // as trace --json writes them
  std::string warp;                 // an SVG (warp_strip)
};

/// The steps of an operation that the executor runs, in the order of the ladder; none of one that is not known.
std::vector<TracedStep> trace_ladder(const std::string& operation);

}  // namespace tandem::command
