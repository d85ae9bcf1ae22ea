#pragma once
// What a trace counted, put together: by kernel, by line and in total, with a sentence of advice where a line is bad.

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "bench/report/data_table.h"
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

  /// "reduce/custom/reduce2_strided", without @simt.
  std::string name() const { return implementation->name.substr(0, implementation->name.find('@')); }
};

/// Launches of the same kernel with the same block are levels of one algorithm and shown as one.
struct LaunchGroup {
  simt::LaunchTraffic sum;  // its grid is the first launch's
  std::vector<std::uint64_t> blocks;
  /// "2 launches of 16 + 1 blocks of 256 threads, 9 barriers per block; 4112 reads and 17 writes of global memory, thread
  /// by thread"
  std::string str() const;
};
std::vector<LaunchGroup> grouped(const std::vector<simt::LaunchTraffic>& launches);
/// The counts of each line, space and kind are added to those of the same.
void add(std::vector<simt::LineTraffic>& lines, const std::vector<simt::LineTraffic>& more);

/// "load shared"
std::string access_name(simt::Space space, simt::Kind kind);
/// One sentence on a line that costs much more than it must, all its accesses to one space together; empty for others.
/// Lines that are few against the whole launch are left alone.
std::string advice(const simt::LineTraffic& line, const simt::LaunchTraffic& launch);

/// The figures of a table, and their headings. What global and shared memory do not have stays empty.
std::vector<std::string> cells(const simt::Requests& global, const simt::Requests& shared);
std::vector<std::string> cells(const simt::LineTraffic& line);
inline const std::vector<std::string> kFigureHeads{"requests", "sectors", "lines", "efficiency",
                                                   "ways",     "extra",   "lanes"};

/// "work 16383, steps 14: 1170.2 applications side by side on average"
std::string describe(const Complexity& cost);
/// Totals of two steps side by side.
DataTable comparison(const Traced& a, const Traced& b);
/// How long each launch takes at least on a GPU, and what of.
DataTable bounds(const Prediction& prediction, const std::vector<simt::LaunchTraffic>& launches);
/// How long calls take at least there, by n, beside what was recorded. No rows where nothing was predicted.
DataTable predictions(std::initializer_list<const Traced*> steps);

/// The lines of a file of the tree; none when the tree is not at hand.
std::vector<std::string> source_of(const std::string& file);

}  // namespace tandem::command
