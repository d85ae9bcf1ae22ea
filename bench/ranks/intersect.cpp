// intersect over ranks: each has the documents of a range of ids.

#include <algorithm>
#include <optional>

#include "bench/ranks/call.h"
#include "lib/harness/posting_collection.h"
#include "tandem/tandem.h"

namespace tandem::command {
namespace {

class IntersectTrial : public RanksTrial {
 public:
  IntersectTrial(Communicator& ranks, const RanksCase& c) : ranks_(ranks) {
    constexpr std::int64_t kLists = 50;
    const std::int64_t documents = 30 * c.shape[0];
    const Collection collection{kLists, c.shape[0], documents, c.shape[1], 2, 4, true, c.seed};
    whole_.emplace(collection.index());
    queries_ = collection.random_queries();
    const auto begins = share_out(c.shares, documents, ranks.size());
    const auto rank = static_cast<std::size_t>(ranks.rank());
    std::vector<std::vector<std::uint32_t>> lists;
    for (std::int64_t l = 0; l < kLists; ++l) {
      lists.emplace_back();
      for (const std::uint32_t id : (*whole_)[l])
        if (id >= begins[rank] && id < begins[rank + 1]) lists.back().push_back(id);
    }
    mine_.emplace(lists);
  }
  void call(const RanksPath& path) override { found_ = intersect(ranks_, *mine_, queries_, path.options); }
  /// This rank's ids are those of one rank's results in its range; all ranks together have as many.
  double error(const RanksPath&) override {
    const Intersections one = intersect(ranks_.context(), *whole_, queries_);
    const std::vector<std::uint64_t> here = intersect_count(ranks_.context(), *mine_, queries_);
    for (std::int64_t q = 0; q < queries_.size(); ++q) {
      const auto all = one[q], part = found_.here[q];
      const auto at = std::search(all.begin(), all.end(), part.begin(), part.end());
      if (at == all.end() && !part.empty()) return std::numeric_limits<double>::infinity();
      if (part.size() != here[static_cast<std::size_t>(q)] ||
          all.size() != found_.counts[static_cast<std::size_t>(q)])
        return std::numeric_limits<double>::infinity();
    }
    return 0;
  }
  void alone() override { alone_ = intersect(ranks_.context(), *whole_, queries_); }
  double bytes_sent() const override { return 16 + 16.0 * static_cast<double>(queries_.size()); }

 private:
  Communicator& ranks_;
  std::optional<Index> whole_, mine_;
  Queries queries_;
  RanksIntersections found_;
  Intersections alone_;
};

}  // namespace

RanksOperation ranks_intersect() {
  return {"intersect",
          {"length", "queries"},
          {Type::u32},
          paths_of(RankCall::intersect),
          {{10, 1}, {300, 40}},
          {{20'000, 100}, {200'000, 100}},
          {{200'000, 100}},
          1 << 20,
          [](Communicator& ranks, const RanksCase& c) -> std::unique_ptr<RanksTrial> {
            return std::make_unique<IntersectTrial>(ranks, c);
          }};
}

}  // namespace tandem::command
