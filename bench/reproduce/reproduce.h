#pragma once
// The frame of `tandem reproduce`: a published table is one file of this folder, which measures its cells and
// registers itself; printing, JSON, the recorded run and the conclusion are shared.

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/command/command.h"
#include "bench/measure/comparison.h"
#include "bench/measure/measure.h"
#include "bench/terminal.h"

namespace tandem::command {

/// The options of the command, and the contexts to measure in.
struct Experiment {
  int repetitions;
  std::uint64_t seed;
  bool quick;  // little data
  Contexts contexts;
  Progress progress;

  std::vector<Timing> run(Measurement& measurement) {
    return measurement.run(
        repetitions, [this](std::size_t done) { progress.show(fmt::format("timing: {} samples", done)); });
  }
};

/// A number in the unit of its column.
struct Cell {
  std::optional<double> here, published;
  double spread = 0;           // see Timing
  std::string implementation;  // that was timed; empty for a ratio or a count
  bool derived = false;        // what is published was made of the source's figures, which do not show it
};
struct Column {
  std::string name, unit;  // "ms", "×", empty for a count
};
struct Line {
  std::string name;
  std::vector<Cell> cells;
  std::string published;  // in words, where the source has no numbers
  std::string note;       // why cells are missing, or what they mean
};
struct Section {
  std::string title;
  std::vector<Column> columns;
  std::vector<Line> lines;
};

/// A part of the source's conclusion. It holds here where all ratios lie in [least, most]; without ratios it
/// is unknown.
struct Claim {
  std::string text;  // "the GPU is faster than one core"
  std::vector<double> here = {}, published = {};
  double least = 1, most = std::numeric_limits<double>::infinity();
};

struct Reproduction {
  std::string method;
  Json data = Json::object();  // by name of a data set: its properties
  std::vector<Section> sections;
  std::vector<Claim> claims;
  std::vector<std::string> wrong;  // rows whose results differ from the reference
};

struct PublishedTable {
  const char* name;    // "intersection"
  const char* what;    // a line
  const char* source;  // where the numbers were published
  Reproduction (*measure)(Experiment&);
};
/// Registers a table; called before main.
bool add_table(PublishedTable table);

// --- for the files of tables ---

/// The implementation of that full name; never its row on the executor.
const Implementation& implementation_named(const std::string& name);

/// The number that was measured ÷ the other, and that of the published ones, where both are known.
Cell quotient(const Cell& dividend, const Cell& divisor);
/// A claim about these ratios, those known.
Claim claim(std::string text, const std::vector<Cell>& ratios);

/// Checks and times implementations of an operation on a trial of its first case, as `tandem compare` does. The
/// names of rows whose results are wrong go to result.wrong.
const Group& timed(Comparison& comparison, const Operation& op, const Trial& trial,
                   const std::vector<const Implementation*>& implementations, Reproduction& result);
/// A row of a comparison in milliseconds; empty where it was not timed.
Cell milliseconds(const Group& group, const Implementation& implementation);
/// Why it was not timed; empty where it was.
std::string why_not(const Group& group, const Implementation& implementation);

}  // namespace tandem::command
