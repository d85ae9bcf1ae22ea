#pragma once
// The classic figure of a lecture on memory access: threads as columns, rounds as rows.

#include <string>
#include <vector>

#include "lib/core/registry.h"
#include "lib/simt/traffic.h"

namespace tandem::command {

/// An SVG of what the first warp of the first block touches, access by access, in the launch with the most
/// requests.
std::string picture(const Implementation& implementation, const std::string& input,
                    const std::vector<simt::LaunchTraffic>& launches, std::size_t element_bytes);

}  // namespace tandem::command
