#pragma once
// The runs of published tables on an H200 that bench/results/reproduce/ holds: what a machine without a GPU
// shows beside its own.

#include "bench/reproduce/reproduce.h"

namespace tandem::command {

/// The texts of h200-*.json, closed by null; in a file that CMake writes.
extern const char* const kRecordedRuns[];

/// What --json wrote there for this table; null where it was not run yet.
const Json* recorded_run(const std::string& table);
/// Of such a run the number at this place of the table, where it holds one.
std::optional<double> recorded_number(const Json& run, const Section& section, const Line& line,
                                      const Column& column);
/// Its parts of the source's conclusion.
std::vector<Claim> recorded_claims(const Json& run);

Json to_json(const Claim& claim);

}  // namespace tandem::command
