#pragma once
// The classic figure of a lecture on memory access: threads as columns, rounds as rows.

#include <string>
#include <vector>

#include "lib/core/registry.h"
#include "lib/simt/traffic.h"

namespace tandem::command {

/// An SVG of what the first warp of the first block touches and shuffles, access by access, in the launch with the
/// most requests. Rows that repeat those before them are folded. `banks`: rows of shared memory show banks (the word mod
/// 32) instead of elements.
std::string picture(const Implementation& implementation, const std::string& input,
                    const std::vector<simt::LaunchTraffic>& launches, std::size_t element_bytes, bool banks);

/// The same without words and small, as a part of a page (Svg::figure): a thin row for each instruction.
std::string warp_strip(const std::vector<simt::LaunchTraffic>& launches);

}  // namespace tandem::command
