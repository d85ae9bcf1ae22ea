#pragma once
// intersect: for each query of a batch, the ids that all of its posting lists hold, ascending; or how many
// they are.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tandem/array.h"
#include "tandem/options.h"
#include "tandem/postings.h"

namespace tandem {

/// The results of a batch in host memory: query q's ids are ids[offsets[q]] … ids[offsets[q+1] − 1].
struct Intersections {
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> ids;
  std::span<const std::uint32_t> operator[](std::int64_t query) const {
    const auto q = static_cast<std::size_t>(query);
    return std::span(ids).subspan(offsets[q], offsets[q + 1] - offsets[q]);
  }
};

/// The index, packed if the implementation that `use` names reads packed lists alone.
TANDEM_API AnyIndex lists_for(std::string_view use, const Index& index);

/// Queries made ready for an index, in the memory of a context, for calls that leave their results there.
/// Keeps what it needs of the index alive. Throws InvalidArgument (starts of the queries that fall or do not
/// fit their lists, a list number that the index does not have), OutOfMemory. O(lists).
class TANDEM_API QueryBatch {
 public:
  QueryBatch(Context& ctx, const AnyIndex& index, const Queries& queries);
  std::int64_t queries() const;
  /// How many ids the results can have together at the most: the lengths of each query's shortest list.
  std::int64_t most() const;

  struct State;
  const State& state() const { return *static_cast<const State*>(state_.get()); }

 private:
  detail::Handle state_;
};

/// Intersects the lists of each query; the results stay in the memory of the context, without waiting for it.
///
/// offsets: std::uint64_t, queries + 1 of them; ids: std::uint32_t, room for batch.most(); what lies behind
/// the last result is unspecified. Query q's ids, ascending, are ids[offsets[q]] … ids[offsets[q+1] − 1]. A
/// query of one list has that list as its result, a query of none or with an empty list has no result; a list
/// that is named twice counts once. O(shortest list × lists × log(longest list)) per query or better;
/// allocates nothing after the first call of a shape. Throws InvalidArgument (arrays too short, null
/// pointers, host memory in a device context, overlap, a batch of another place, unknown options.use),
/// Unavailable (options.use cannot run here), OutOfMemory, DeviceError.
/// Source:  Ding, König 2011, "Fast set intersection in memory"; Barbay, López-Ortiz, Lu, Salinger 2009, "An
///          experimental investigation of set intersection algorithms for text searching"; Ao et al. 2011,
///          "Efficient parallel lists intersection and index compression algorithms using graphics processing
///          units".
TANDEM_API void intersect_into(Context& ctx, const QueryBatch& batch, View<std::uint64_t> offsets,
                               View<std::uint32_t> ids, const Options& options = {});
template <Viewable Offsets, Viewable Ids>
void intersect_into(Context& ctx, const QueryBatch& batch, Offsets&& offsets, Ids&& ids,
                    const Options& options = {}) {
  intersect_into(ctx, batch, View<std::uint64_t>(view(offsets)), View<std::uint32_t>(view(ids)), options);
}

/// As intersect_into, but only how many ids each query has: counts, std::uint64_t, one for each query.
TANDEM_API void intersect_count_into(Context& ctx, const QueryBatch& batch, View<std::uint64_t> counts,
                                     const Options& options = {});
template <Viewable Counts>
void intersect_count_into(Context& ctx, const QueryBatch& batch, Counts&& counts,
                          const Options& options = {}) {
  intersect_count_into(ctx, batch, View<std::uint64_t>(view(counts)), options);
}

/// The results of all queries, fetched to the host; see intersect_into. Uploads the queries, waits for the
/// results. With a PackedIndex only implementations that decode lists can run, and the automatic choice takes
/// one of them.
TANDEM_API Intersections intersect(Context& ctx, const AnyIndex& index, const Queries& queries,
                                   const Options& options = {});

/// How many ids each query has, fetched to the host.
TANDEM_API std::vector<std::uint64_t> intersect_count(Context& ctx, const AnyIndex& index,
                                                      const Queries& queries, const Options& options = {});

/// Calls result(query, its ids) for each query in turn; the ids are in host memory until it returns.
template <class Result>
void intersect_each(Context& ctx, const AnyIndex& index, const Queries& queries, Result&& result,
                    const Options& options = {}) {
  const Intersections all = intersect(ctx, index, queries, options);
  for (std::int64_t q = 0; q < queries.size(); ++q) result(q, all[q]);
}

}  // namespace tandem
