#pragma once
// A trace in words, tables and JSON.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "bench/report/trace_prediction.h"
#include "lib/core/registry.h"
#include "lib/core/test_elements.h"
#include "lib/simt/trace.h"

namespace tandem::command {

/// One implementation on one input.
struct Traced {
  const Implementation* implementation;
  Type type;
  std::string title;  // "f32 plus, n = 4096"
  simt::Trace trace;
  std::optional<Complexity> cost;
  double seconds = 0;
  std::optional<Prediction> prediction = {};
};

/// What lines of a trace may be sorted by, the worst first.
struct Figure {
  const char* name;
  double (*badness)(const simt::Requests&);
};
/// A column of the table, or "waste"; InvalidArgument lists the names.
const Figure& figure(const std::string& name);

/// A table per kernel, with a sentence of advice for every bad line, and the races.
void print(const Traced& traced, const Figure& by);
/// Totals of two steps side by side.
void print_comparison(const Traced& a, const Traced& b);
/// An array of launches.
nlohmann::ordered_json json_of(const Traced& traced);

}  // namespace tandem::command
