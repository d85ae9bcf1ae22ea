#pragma once
// Queries made ready for an index.

#include <cstdint>
#include <span>
#include <vector>

#include "tandem/postings.h"

namespace tandem {

/// The queries as kernels read them: the lists of each, shortest first and none twice. An id of the shortest
/// list is a
/// *candidate*; whether it is in the result depends on the other lists. Candidates of a query are cut into
/// *pieces* of `piece`, the last one shorter: what a thread or a block takes at once.
struct PlanView {
  const std::uint64_t *first_term, *first_candidate, *first_piece;  // queries + 1 of each
  const std::uint32_t* terms;                                       // list numbers
  std::int64_t queries, term_count;
  std::int64_t candidates, pieces;  // in all
  std::int64_t term_ids;            // of the lists in terms, in all
  std::int64_t longest;             // candidates of one query
  int most_terms;                   // lists of one query
  int piece;
};

class TANDEM_API QueryPlan {
 public:
  /// `starts` as an index has them. Throws InvalidArgument (starts of the queries that fall or do not fit
  /// their lists, a list number that the index does not have). O(lists).
  QueryPlan(std::span<const std::uint64_t> starts, const Queries& queries);

  /// What the view's arrays are made of, one behind the other, to be copied in one piece.
  const std::vector<std::uint64_t>& words() const { return words_; }
  /// The plan where its words are, or a copy of them.
  PlanView at(const std::uint64_t* words) const;
  PlanView host() const { return at(words_.data()); }

  static constexpr int kShortPiece = 512, kLongPiece = 2048;

 private:
  PlanView sizes_{};  // without arrays
  std::vector<std::uint64_t> words_;
};

}  // namespace tandem
