// The lab's question whether copies to and from the GPU are better made by hand or left to managed memory.

#include <fmt/format.h>

#include "bench/measure.h"
#include "bench/tables/lab.h"
#include "lib/core/error.h"

namespace tandem::command {
namespace {

struct Step {
  std::string row, name, published;
};
std::vector<Step> steps() {
  std::vector<Step> all;
  for (const auto& [row, words] :
       {std::pair{&kCoarse, "slightly slower with managed memory"}, {&kFine, "about equal"}}) {
    for (std::size_t c = 0; c < std::size(kLabColumns); ++c) {
      all.push_back({fmt::format("{} {}", row->name, kLabColumns[c]),
                     std::string("intersect/custom/") + row->columns[c].step, words});
    }
  }
  all.push_back({"one launch", "intersect/custom/batch", ""});
  return all;
}

/// One of the two kinds of memory.
struct Kind {
  Context (*make)();
  Context resident;  // whose data stays
  Index index;       // a copy, so that each kind frees its own memory
  ReadyBatch batch;
  Kind(Context (*make_context)(), const Lab& lab)
      : make(make_context),
        resident(make()),
        index(std::span(lab.index.starts(), static_cast<std::size_t>(lab.index.lists()) + 1),
              std::span(lab.index.data(), static_cast<std::size_t>(lab.index.ids()))),
        batch(resident, index, lab.queries) {}
};

/// Why there is nothing to compare here; empty where there is.
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

  /// Adds what is to be timed; the cells are there after run().
  void add(const std::string& name) {
    for (Kind& kind : kinds_) {
      lab_.check(kind.resident, kind.index, name);
      rows_.push_back(measurement_.add([this, &kind, name] { return from_nothing(kind, name); }));
      rows_.push_back(measurement_.add(sampler(
          kind.resident, [&kind, name] { kind.batch.intersect(kind.resident, name); }, Method::hot, 0.004)));
    }
    names_.push_back(name);
  }
  void run() {
    timings_ = measurement_.run(experiment_.repetitions, [&](std::size_t done) {
      experiment_.progress.show(fmt::format("timing: {} samples", done));
    });
  }
  /// Explicit, managed, their ratio, and both once the data is there.
  std::vector<Cell> cells(std::size_t step) const {
    const auto cell = [&](std::size_t row) {
      const Timing& timing = timings_[rows_[4 * step + row]];
      return Cell{timing.seconds * 1e3, {}, timing.spread, names_[step]};
    };
    const Cell by_hand = cell(0), managed = cell(2);
    return {by_hand, managed, {*managed.here / *by_hand.here, {}, 0, ""}, cell(1), cell(3)};
  }

 private:
  /// Seconds for a context that holds nothing: memory taken, index and queries brought there, results fetched, memory
  /// freed. (The copy of the index is freed when the next call with this index finds its context gone.)
  double from_nothing(Kind& kind, const std::string& name) {
    std::optional<Context> ctx(kind.make());
    return experiment_.contexts.host.backend()->seconds([&] {
      intersect(*ctx, kind.index, lab_.queries, {name});
      ctx.reset();
    });
  }

  Experiment& experiment_;
  Lab& lab_;
  Kind kinds_[2];  // explicit, managed
  Measurement measurement_;
  std::vector<std::size_t>
      rows_;  // of each step: explicit from nothing, explicit resident, and managed alike
  std::vector<std::string> names_;
  std::vector<Timing> timings_;
};

Reproduction managed_memory(Experiment& experiment) {
  Reproduction result;
  result.method =
      "from nothing: memory taken, index and queries brought there, results fetched, memory freed; resident: "
      "hot, "
      "kernels alone, after the data has come";
  Claim coarse{"coarse is slightly slower with managed memory (1 to 1.5×)", {}, {}, 1, 1.5};
  Claim fine{"fine is about equal (within a tenth)", {}, {}, 0.9, 1.1};
  std::vector<Collection> collections{Collection::small(experiment.seed)};
  if (!experiment.small) {
    collections.push_back(Collection::lab(experiment.seed));
    collections.back().lists = 800;  // 64 MB
  }
  const std::string reason = why_not();
  for (const Collection& like : collections) {
    Section section{fmt::format("{} queries, {} lists of {} ids", like.queries, like.lists, like.length),
                    {{"explicit", "ms"},
                     {"managed", "ms"},
                     {"managed ÷ explicit", "×"},
                     {"explicit, resident", "ms"},
                     {"managed, resident", "ms"}},
                    {}};
    for (const Step& step : steps())
      section.lines.push_back({step.row, std::vector<Cell>(section.columns.size()), step.published, reason});
    if (reason.empty()) {
      Lab lab(like, experiment);
      Memories memories(experiment, lab);
      for (const Step& step : steps()) memories.add(step.name);
      memories.run();
      coarse.here.clear(), fine.here.clear();  // what the largest collection says
      for (std::size_t s = 0; s < section.lines.size(); ++s) {
        section.lines[s].cells = memories.cells(s);
        const double ratio = *section.lines[s].cells[2].here;
        if (s < 6) (s < 3 ? coarse : fine).here.push_back(ratio);
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
