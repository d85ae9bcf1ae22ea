#pragma once
// intersect over ranks: each rank has the documents of a range of ids.

#include <cstdint>
#include <vector>

#include "tandem/communicator.h"
#include "tandem/intersect.h"

namespace tandem {

/// What a rank gets of a batch of queries over ranks.
struct RanksIntersections {
  Intersections here;  // this rank's ids: behind those of the ranks before, ahead of those of the ranks after
  std::vector<std::uint64_t> counts;  // how many ids each query has on all ranks
};

/// For each query, the ids that all of its posting lists hold, where list l of the whole is made of the ranks' lists l, one behind
/// the other in rank order.
///
/// index: this rank's part of each list, as many lists as on every rank, any of them empty; an Index or a PackedIndex. In the lists
/// that the queries name all ids of a rank are above all those of the ranks before. queries: the same on every rank. Results as of
/// intersect(ctx, index, queries), which each rank computes by itself; in rank order they are those of the whole. A rank sends 16 bytes
/// and twice the counts. Throws as the call of one rank, InvalidArgument on every rank where ids do not ascend with the ranks,
/// RanksDiffer where the numbers of queries or lists do, RankFailed, OutOfMemory, CommunicationError.
/// Source:  Moffat, Webber, Zobel, Baeza-Yates 2007, "A pipelined architecture for distributed text query evaluation": document
///          partitioning.
TANDEM_API RanksIntersections intersect(Communicator& all, const AnyIndex& index, const Queries& queries,
                                        const Options& options = {});

/// How many ids each query has on all ranks.
TANDEM_API std::vector<std::uint64_t> intersect_count(Communicator& all, const AnyIndex& index,
                                                      const Queries& queries, const Options& options = {});

}  // namespace tandem
