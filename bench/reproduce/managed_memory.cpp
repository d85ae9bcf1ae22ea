// The lab's question: are explicit copies to and from the GPU faster than managed memory? First as the lab asked
// it, with each query's lists in memory of their own; then with the whole index there.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "bench/reproduce/lab.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

constexpr std::int64_t kAlone = 200;  // queries that are asked one by one, at most

/// One of the two kinds of device memory.
struct Kind {
  Context (*make)();
  Context resident;  // keeps its data
  Index index;       // an index of its own, so that each kind frees only its own copies
  ReadyBatch batch;
  Kind(Context (*make_context)(), const Lab& lab)
      : make(make_context),
        resident(make()),
        index(lab.collection.index()),
        batch(resident, lab.collection.index(), lab.queries) {}
};

/// Why the two kinds cannot be compared here; empty where they can.
std::string why_not() {
  try {
    Context::managed();
    return {};
  } catch (const Unavailable& error) {
    return error.what();
  }
}

class Memories {
 public:
  Memories(Experiment& experiment, Lab& lab)
      : experiment_(experiment),
        lab_(lab),
        kinds_{{[] { return Context::device(); }, lab}, {[] { return Context::managed(); }, lab}} {}

  /// Adds an implementation to the measurement if its results are right with both kinds.
  void add(const std::string& name) {
    for (Kind& kind : kinds_) {
      if (!lab_.check(kind.resident, kind.index, name)) return;
    }
    std::vector<std::size_t>& rows = rows_[name];
    for (Kind& kind : kinds_) {
      rows.push_back(measurement_.add([this, &kind, name] { return from_nothing(kind, name); }));
      rows.push_back(measurement_.add(sampler(
          kind.resident, [&kind, name] { kind.batch.intersect(kind.resident, name); }, Method::hot, 0.004)));
    }
  }
  /// The same for calls of one query each, on its lists alone.
  void add_each_query(const std::string& name) {
    for (Kind& kind : kinds_) {
      alone_[name].push_back(
          measurement_.add([this, &kind, name] { return each_query(kind.resident, name); }));
    }
  }
  void run() { timings_ = experiment_.run(measurement_); }
  /// Of these calls: explicit, managed, their ratio.
  std::vector<Cell> each_query_cells(const std::string& name) const {
    std::vector<Cell> times;
    for (const std::size_t row : alone_.at(name))
      times.push_back({timings_[row].seconds * 1e3, {}, timings_[row].spread, name});
    times.push_back(quotient(times[1], times[0]));
    return times;
  }
  /// Explicit, managed, their ratio, and both with resident data. Empty where a result was wrong.
  std::vector<Cell> cells(const std::string& name) const {
    const auto found = rows_.find(name);
    if (found == rows_.end()) return {};
    std::vector<Cell> times;
    for (const std::size_t row : found->second)
      times.push_back({timings_[row].seconds * 1e3, {}, timings_[row].spread, name});
    return {times[0], times[2], {*times[2].here / *times[0].here, {}, 0, ""}, times[1], times[3]};
  }

 private:
  /// Seconds from an empty context: memory taken, index and queries copied, results fetched, memory freed.
  /// (The copy of the index is freed when the next call with this index finds its context gone.)
  double from_nothing(Kind& kind, const std::string& name) {
    std::optional<Context> ctx(kind.make());
    return backend(experiment_.contexts.host).seconds([&] {
      intersect(*ctx, kind.index, lab_.queries, {name});
      ctx.reset();
    });
  }

  /// Seconds of calls that take memory for the lists of a query, copy them, fetch the result, free the memory.
  double each_query(Context& ctx, const std::string& name) {
    double seconds = 0;
    for (std::int64_t q = 0; q < std::min(kAlone, lab_.queries.size()); ++q) {
      auto [index, query] = lab_.alone(q);
      std::optional<Index> lists(std::move(index));
      seconds += backend(experiment_.contexts.host).seconds([&, &query = query] {
        intersect(ctx, *lists, query, {name});
        lists.reset();
      });
    }
    return seconds;
  }

  Experiment& experiment_;
  Lab& lab_;
  Kind kinds_[2];  // explicit, managed
  Measurement measurement_;
  // By implementation: explicit from nothing, explicit resident, managed from nothing, managed resident.
  std::map<std::string, std::vector<std::size_t>> rows_;
  std::map<std::string, std::vector<std::size_t>> alone_;  // explicit, managed
  std::vector<Timing> timings_;
};

Reproduction managed_memory(Experiment& experiment) {
  Reproduction result;
  result.method =
      "from nothing: memory taken, index and queries brought there, results fetched, memory freed; a query's "
      "lists alone: the same for each of them in turn; resident: hot, kernels alone, after the data has come";
  Claim coarse{
      "coarse is slightly slower with managed memory for each query's lists (1 to 1.5×)", {}, {}, 1, 1.5};
  const Claim fine{"fine is about equal with managed memory for its flag (our fine kernels need none)"};
  std::vector<Collection> collections{Collection::small(experiment.seed)};
  if (!experiment.quick) {
    collections.push_back(Collection::lab(experiment.seed));
    collections.back().lists = 800;  // 64 MB
  }
  std::vector<std::pair<std::string, std::string>> steps;  // rows, implementations
  for (const LabRow* row : {&kCoarse, &kFine}) {
    for (std::size_t c = 0; c < std::size(kLabColumns); ++c)
      steps.emplace_back(fmt::format("{} {}", row->name, kLabColumns[c]), row->columns[c].implementation);
  }
  steps.emplace_back("one launch", "intersect/custom/batch");

  const std::string reason = why_not();
  const std::vector<Column> kinds{{"explicit", "ms"}, {"managed", "ms"}, {"managed ÷ explicit", "×"}};
  Section alone{"a query's lists alone", kinds, {}};  // of the largest collection
  for (std::size_t c = 0; c < std::size(kLabColumns); ++c) {
    alone.lines.push_back(
        {steps[c].first, std::vector<Cell>(kinds.size()), "slightly slower with managed memory", reason});
  }
  std::vector<Section> whole;
  for (const Collection& like : collections) {
    Section& section = whole.emplace_back(Section{
        fmt::format("{} queries, {} lists of {} ids", like.queries, like.lists, like.length), kinds, {}});
    section.columns.push_back({"explicit, resident", "ms"});
    section.columns.push_back({"managed, resident", "ms"});
    for (const auto& [row, name] : steps)
      section.lines.push_back({row, std::vector<Cell>(section.columns.size()), "", reason});
    if (!reason.empty()) continue;
    Lab lab(like, experiment);
    Memories memories(experiment, lab);
    const bool largest = whole.size() == collections.size();
    for (const auto& [row, name] : steps) memories.add(name);
    for (std::size_t c = 0; c < alone.lines.size() && largest; ++c) memories.add_each_query(steps[c].second);
    memories.run();
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const std::vector<Cell> cells = memories.cells(steps[s].second);
      if (cells.empty())
        section.lines[s].note = "WRONG";
      else
        section.lines[s].cells = cells;
    }
    for (std::size_t c = 0; c < alone.lines.size() && largest; ++c) {
      alone.lines[c].cells = memories.each_query_cells(steps[c].second);
      coarse.here.push_back(*alone.lines[c].cells[2].here);
    }
    result.data[section.title] = lab.figures();
    result.wrong.insert(result.wrong.end(), lab.wrong.begin(), lab.wrong.end());
  }
  result.sections.push_back(std::move(alone));
  std::move(whole.begin(), whole.end(), std::back_inserter(result.sections));
  result.claims = {std::move(coarse), fine};
  return result;
}

const bool added = add_table({"managed-memory", "Intersection with explicit copies against managed memory",
                              "the inverted-index lab, in words", managed_memory});

}  // namespace
}  // namespace tandem::command
