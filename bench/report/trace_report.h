#pragma once
// A trace in words, tables and JSON.

#include <nlohmann/json.hpp>
#include <string>

#include "bench/report/trace_counts.h"

namespace tandem::command {

/// What lines of a trace may be sorted by, the worst first.
struct Figure {
  const char* name;
  double (*badness)(const simt::Requests&);
};
/// A column of the table, or "waste"; InvalidArgument lists the names.
const Figure& figure(const std::string& name);

/// A table per kernel, with a sentence of advice for every bad line, and the races.
void print(const Traced& traced, const Figure& by);
/// The first of them, if there are any.
void print_races(const Traced& traced);
/// Totals of two steps side by side.
void print_comparison(const Traced& a, const Traced& b);
/// An array of launches.
nlohmann::ordered_json json_of(const Traced& traced);

}  // namespace tandem::command
