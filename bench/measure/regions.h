#pragma once
// Measured shapes by their features, and the regions of a choice table around them.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lib/core/choice_file.h"

namespace tandem::command {

/// What is known of shapes: the implementations of a row, fastest first.
using Cells = std::map<Features, std::string>;
/// Where each begins, and its row; it ends halfway to the next, in logarithms.
using Regions = std::vector<std::pair<Features, std::string>>;

/// Where the region around a value of a grid with this step begins.
std::int64_t border(std::int64_t value, std::int64_t step);

/// Regions of cells whose features before `level` are equal. Neighbours with the same winners merge. The first region
/// of a feature reaches down to nothing only where 1 was measured: time may run out before all were.
Regions regions(const Cells& cells, std::size_t level, const Features& steps);

/// Cells for shapes that were not measured, and of which nothing was known: the nearest one's, in logarithms. Without them a
/// region would reach as far as the next shape, however far that is.
void fill(Cells& cells, const std::set<Features>& all);

}  // namespace tandem::command
