#include "tandem/ranks/intersect.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "lib/ops/intersect/packed_list.h"
#include "tandem/ranks.h"

namespace tandem {
namespace {

using Counts = std::vector<std::uint64_t>;

/// The least and the greatest of ids; the least is above the greatest where there are none.
struct Range {
  std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = -1;
  bool empty() const { return first > last; }
  void add(std::int64_t least, std::int64_t greatest) {
    first = std::min(first, least), last = std::max(last, greatest);
  }
};

/// Of the lists that queries name.
Range range_of(Context& ctx, const AnyIndex& index, const Queries& queries) {
  Range range;
  if (const auto* plain = std::get_if<Index>(&index)) {
    for (const std::uint32_t l : queries.lists) {
      const auto list = (*plain)[l];
      if (!list.empty()) range.add(list.front(), list.back());
    }
  } else {
    const PackedLists lists = packed_lists(std::get<PackedIndex>(index), ctx);
    for (const std::uint32_t l : queries.lists) {
      const PackedList list = lists[l];
      if (list.size == 0) continue;
      const PackedList::Block block = list[0];
      range.add(block.quads[0].words[0] & block.mask(), list.lasts[list.blocks() - 1]);
    }
  }
  return range;
}

void require_ascending(detail::RanksScope& scope, const Range& mine, std::vector<Range>& ranges) {
  scope.all_gather(&mine, ranges.data(), sizeof mine);
  std::size_t before = ranges.size();  // the last that has ids
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    if (ranges[r].empty()) continue;
    if (before < r && ranges[r].first <= ranges[before].last) {
      throw InvalidArgument(fmt::format(
          "intersect: the least id of rank {} is {}; it must be above {}, the greatest of rank {}", r,
          ranges[r].first, ranges[before].last, before));
    }
    before = r;
  }
}

/// local(ctx) computes this rank's result, and gives how many ids each query has in it; this gives how many on all ranks.
template <class Local>
Counts over_ranks(Communicator& all, const AnyIndex& index, const Queries& queries, const Local& local) {
  return detail::translated([&] {
    const std::int64_t lists = std::visit([](const auto& x) { return x.lists(); }, index);
    detail::RanksScope scope(all, {.call = RankCall::intersect,
                                   .id = {Type::u32, OperatorId::none},
                                   .sizes = {queries.size(), lists, -1}});
    Range mine;
    std::vector<Range> ranges;
    Counts counts;
    scope.together([&] {
      counts = local(scope.context());
      mine = range_of(scope.context(), index, queries);
      ranges.resize(static_cast<std::size_t>(scope.size()));
    });
    require_ascending(scope, mine, ranges);
    detail::all_reduce_elements<std::uint64_t>(  // numbers of the host, wherever ranks compute
        scope, {Type::u64, OperatorId::plus}, counts.data(), counts.data(), queries.size(), {},
        [](std::uint64_t count, std::int64_t) { return count; }, plus);
    return counts;
  });
}

}  // namespace

RanksIntersections intersect(Communicator& all, const AnyIndex& index, const Queries& queries,
                             const Options& options) {
  RanksIntersections result;
  result.counts = over_ranks(all, index, queries, [&](Context& ctx) {
    result.here = intersect(ctx, index, queries, options);
    const auto& offsets = result.here.offsets;
    Counts counts(offsets.size() - 1);
    for (std::size_t q = 0; q < counts.size(); ++q) counts[q] = offsets[q + 1] - offsets[q];
    return counts;
  });
  return result;
}

std::vector<std::uint64_t> intersect_count(Communicator& all, const AnyIndex& index, const Queries& queries,
                                           const Options& options) {
  return over_ranks(all, index, queries,
                    [&](Context& ctx) { return intersect_count(ctx, index, queries, options); });
}

}  // namespace tandem
