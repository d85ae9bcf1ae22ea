// The lab's question: are explicit copies to and from the GPU faster than managed memory?

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "bench/reproduce/lab.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

struct Step {
  std::string row, name, published;
  Claim* claim;  // gets its ratio
};

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
  void run() { timings_ = experiment_.run(measurement_); }
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
  Kind kinds_[2];  // explicit, managed
  Measurement measurement_;
  // By implementation: explicit from nothing, explicit resident, managed from nothing, managed resident.
  std::map<std::string, std::vector<std::size_t>> rows_;
  std::vector<Timing> timings_;
};

Reproduction managed_memory(Experiment& experiment) {
  Reproduction result;
  result.method =
      "from nothing: memory taken, index and queries brought there, results fetched, memory freed; resident: "
      "hot, kernels alone, after the data has come";
  Claim coarse{"coarse is slightly slower with managed memory (1 to 1.5×)", {}, {}, 1, 1.5};
  Claim fine{"fine is about equal (within a tenth)", {}, {}, 0.9, 1.1};
  std::vector<Collection> collections{Collection::small(experiment.seed)};
  if (!experiment.small) {
    collections.push_back(Collection::lab(experiment.seed));
    collections.back().lists = 800;  // 64 MB
  }
  std::vector<Step> steps;
  for (const auto& [row, words, claim] :
       {std::tuple{&kCoarse, "slightly slower with managed memory", &coarse},
        {&kFine, "about equal", &fine}}) {
    for (std::size_t c = 0; c < std::size(kLabColumns); ++c) {
      steps.push_back(
          {fmt::format("{} {}", row->name, kLabColumns[c]), row->columns[c].implementation, words, claim});
    }
  }
  steps.push_back({"one launch", "intersect/custom/batch", "", nullptr});

  const std::string reason = why_not();
  for (const Collection& like : collections) {
    Section section{fmt::format("{} queries, {} lists of {} ids", like.queries, like.lists, like.length),
                    {{"explicit", "ms"},
                     {"managed", "ms"},
                     {"managed ÷ explicit", "×"},
                     {"explicit, resident", "ms"},
                     {"managed, resident", "ms"}},
                    {}};
    const std::vector<Cell> none(section.columns.size());
    for (const Step& step : steps) section.lines.push_back({step.row, none, step.published, reason});
    if (reason.empty()) {
      Lab lab(like, experiment);
      Memories memories(experiment, lab);
      for (const Step& step : steps) memories.add(step.name);
      memories.run();
      coarse.here.clear(), fine.here.clear();  // keep the ratios of the largest collection
      for (std::size_t s = 0; s < steps.size(); ++s) {
        const std::vector<Cell> cells = memories.cells(steps[s].name);
        if (cells.empty()) {
          section.lines[s].reason = "WRONG";
          continue;
        }
        section.lines[s].cells = cells;
        if (steps[s].claim) steps[s].claim->here.push_back(*cells[2].here);
      }
      result.data[section.title] = lab.figures();
      result.wrong.insert(result.wrong.end(), lab.wrong.begin(), lab.wrong.end());
    }
    result.sections.push_back(section);
  }
  result.claims = {coarse, fine};
  return result;
}

const bool added = add_table({"managed-memory", "Intersection with explicit copies against managed memory",
                              "the inverted-index lab, in words", managed_memory});

}  // namespace
}  // namespace tandem::command
