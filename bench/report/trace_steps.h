#pragma once
// The first warp of a traced step as a part of a page: one round at a time, chosen by radio buttons, so that keys, a click
// on a line of the source and a style sheet are all that it takes to move.

#include <string>

#include "bench/report/trace_source.h"

namespace tandem::command {

/// Colours and what they mean.
std::string legend();
/// The rounds, one under another where there is no style sheet. `prefix`: of the buttons' name and ids.
std::string warp_steps(const TracedSource& source, const ShownRounds& rows, std::size_t element_bytes,
                       const std::string& prefix);
/// Rules for the colours of legend() and warp_steps().
std::string cost_style();

}  // namespace tandem::command
