#pragma once
// The source of a traced step as a part of a page: beside each line what it asks of memory, under it advice and races.

#include <map>
#include <string>
#include <vector>

#include "bench/report/trace_counts.h"
#include "bench/report/trace_rounds.h"

namespace tandem::command {

class TracedSource {
 public:
  /// `prefix` begins the ids of this step in the page. Throws Unavailable where the step's file is not at hand.
  TracedSource(const Traced& traced, std::string prefix);

  /// The step's own file whole; of others the lines that count, with those around them. Beside them the rounds that the
  /// page shows, which lead to them.
  std::string html(const ShownRounds& rows) const;
  /// Rules that mark the line of the round that is chosen.
  std::string style(const ShownRounds& rows) const;
  /// A sentence with links to the lines that have advice; empty where there are none.
  std::string worst() const;

  std::string round_id(std::size_t round) const;
  /// "line 25", "levels.cuh:31", as a link to the line.
  std::string link(const simt::SourceLine& line) const;
  /// Without the blanks it begins with.
  std::string text(const simt::SourceLine& line) const;

  /// The rounds of the warp that is shown.
  const std::vector<simt::Round>& rounds() const { return *rounds_; }

 private:
  struct Line {
    std::vector<simt::LineTraffic> accesses;
    std::vector<std::string> advice, races;
  };
  struct File {
    std::string name;
    std::vector<std::string> text;
    std::map<unsigned, Line> lines;  // that count, or race, or exchange
  };

  File& file(const std::string& name);
  const File& file(const std::string& name) const;
  std::string id(const simt::SourceLine& line) const;
  std::string table(const File& file, bool whole, const ShownRounds& rows) const;
  std::string row(const File& file, unsigned number, const ShownRounds& rows) const;

  std::string prefix_;
  const std::vector<simt::Round>* rounds_;
  std::vector<File> files_;  // the step's own first
};

}  // namespace tandem::command
