// The lab's question: are explicit copies to and from the GPU faster than managed memory? First as the lab asked
// it, with each query's lists in memory of their own, or a flag of one word; then with the whole index there.

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <limits>
#include <map>

#include "bench/reproduce/lab.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

constexpr std::int64_t kAlone = 200;  // queries that are asked one by one, at most
constexpr std::int64_t kFew = 20;     // the same, with a launch for each comparison

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
        alone_queries_(lab.first_queries(kAlone, std::numeric_limits<std::int64_t>::max())),
        few_(lab.first_queries(kFew, kMostCandidates)),
        kinds_{{[] { return Context::device(); }, lab}, {[] { return Context::managed(); }, lab}} {}

  /// Adds an implementation to the measurement if its results are right with both kinds.
  void add(const std::string& name) {
    for (Kind& kind : kinds_) {
      if (!lab_.check(kind.resident, kind.index, name)) return;
    }
    std::vector<std::size_t>& rows = rows_[name];
    for (Kind& kind : kinds_) {
      rows.push_back(measurement_.add([this, &kind, name] { return from_nothing(kind, name); }));
      rows.push_back(measurement_.add(
          sampler(
              kind.resident, [&kind, name] { kind.batch.intersect(kind.resident, name); }, Method::hot, 0.004)
              .sample));
    }
  }
  /// The same for calls of one query each, on its lists alone.
  void add_each_query(const std::string& name) {
    for (Kind& kind : kinds_) {
      alone_[name].push_back(measurement_.add(
          [this, &kind, name] { return lab_.seconds_alone(kind.resident, name, alone_queries_); }));
    }
  }
  /// Adds fine as the lab ran it, for queries that are there: what moves is its flag.
  void add_flag() {
    if (!lab_.check_alone(kinds_[0].resident, kFineAsPublished, few_) ||
        !lab_.check_alone(kinds_[1].resident, kFineAsPublished, few_))
      return;
    for (Kind& kind : kinds_) {
      std::vector<ReadyBatch>& batches = few_batches_.emplace_back();
      for (const std::int64_t q : few_) {
        Queries one;
        one.add(lab_.queries[q]);
        batches.emplace_back(kind.resident, kind.index, one);
      }
      alone_[kFineAsPublished].push_back(measurement_.add([this, &kind, &batches] {
        return backend(experiment_.contexts.host).seconds([&] {
          for (ReadyBatch& batch : batches) batch.intersect(kind.resident, kFineAsPublished);
          kind.resident.synchronize();
        });
      }));
    }
  }
  void run() { timings_ = experiment_.run(measurement_); }
  /// Of these calls: explicit, managed, their ratio. Empty where a result was wrong.
  std::vector<Cell> alone_cells(const std::string& name) const {
    std::vector<Cell> times;
    const auto found = alone_.find(name);
    if (found == alone_.end()) return times;
    for (const std::size_t row : found->second)
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

  Experiment& experiment_;
  Lab& lab_;
  const std::vector<std::int64_t> alone_queries_, few_;
  Kind kinds_[2];  // explicit, managed
  std::deque<std::vector<ReadyBatch>> few_batches_;
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
      "lists alone: the same for each of them in turn; its flag: lists are there, 20 queries, the flag of "
      "each "
      "launch is read by the CPU; resident: hot, kernels alone, after the data has come";
  Claim coarse{
      "coarse is slightly slower with managed memory for each query's lists (1 to 1.5×)", {}, {}, 1, 1.5};
  Claim fine{"fine is about equal with managed memory for its flag", {}, {}, 0.8, 1.25};
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
  Section flag{"its flag alone", kinds, {}};  // of the largest collection
  flag.lines.push_back({"fine SvS, a launch for every 1,024 ids compared", std::vector<Cell>(kinds.size()),
                        "about equal", reason});
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
    if (largest) memories.add_flag();
    memories.run();
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const std::vector<Cell> cells = memories.cells(steps[s].second);
      if (cells.empty())
        section.lines[s].note = "WRONG";
      else
        section.lines[s].cells = cells;
    }
    for (std::size_t c = 0; c < alone.lines.size() && largest; ++c) {
      alone.lines[c].cells = memories.alone_cells(steps[c].second);
      coarse.here.push_back(*alone.lines[c].cells[2].here);
    }
    if (const std::vector<Cell> cells = memories.alone_cells(kFineAsPublished); largest && !cells.empty()) {
      flag.lines[0].cells = cells;
      fine.here.push_back(*cells[2].here);
    }
    result.data[section.title] = lab.figures();
    result.wrong.insert(result.wrong.end(), lab.wrong.begin(), lab.wrong.end());
  }
  result.sections = {std::move(alone), std::move(flag)};
  std::move(whole.begin(), whole.end(), std::back_inserter(result.sections));
  result.claims = {std::move(coarse), std::move(fine)};
  return result;
}

const bool added = add_table({"managed-memory", "Intersection with explicit copies against managed memory",
                              "the inverted-index lab, in words", managed_memory});

}  // namespace
}  // namespace tandem::command
