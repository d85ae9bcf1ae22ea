#pragma once
// Posting lists and queries over them: what intersect computes with. A posting list holds the numbers of the documents
// that a word occurs in, ascending; a conjunctive query names lists and asks for what all of them hold.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tandem/context.h"
#include "tandem/export.h"

namespace tandem {

/// Posting lists, loaded once and never changed. A copy of an Index is the same lists, not a copy of them. Threads may
/// share it.
class TANDEM_API Index {
 public:
  /// List l is ids[starts[l]] … ids[starts[l+1] − 1]. starts: one element more than there are lists, from 0 to
  /// ids.size(), never falling. Throws InvalidArgument (starts as above are not given, or a list whose ids do not
  /// ascend: its number and the place). Copies both; O(ids).
  Index(std::span<const std::uint64_t> starts, std::span<const std::uint32_t> ids);
  /// One list for each vector. Throws as above.
  explicit Index(std::span<const std::vector<std::uint32_t>> lists);

  std::int64_t lists() const;
  /// Of all lists together.
  std::int64_t ids() const;
  /// What the lists and their starts take.
  std::size_t bytes() const;
  std::span<const std::uint32_t> operator[](std::int64_t list) const;
  /// In host memory, as the constructor takes them.
  std::span<const std::uint64_t> starts() const;
  const std::uint32_t* data() const;

  /// The same in the memory of a context. A device context gets a copy with its first call, kept until neither the
  /// index nor the context is in use. Throws OutOfMemory.
  struct Memory {
    const std::uint64_t* starts;
    const std::uint32_t* ids;
  };
  Memory in(Context& ctx) const;
  /// Another number for every index of the program.
  std::uint64_t serial() const;

 private:
  friend class IndexBuilder;
  struct State;
  explicit Index(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

/// An index in the making: lists are appended piece by piece, and no id is written twice.
class TANDEM_API IndexBuilder {
 public:
  /// Room for `most_ids` ids.
  explicit IndexBuilder(std::uint64_t most_ids);
  ~IndexBuilder();
  /// Memory for `count` more ids of the current list. Filled and checked by the caller, at once.
  std::uint32_t* append(std::uint64_t count);
  void end_list();
  /// The place of the first id that is not above the one before it, or `count`. Vectorised.
  static std::uint64_t first_not_ascending(const std::uint32_t* ids, std::uint64_t count);
  Index finish();

 private:
  std::unique_ptr<Index::State> state_;
  std::uint64_t used_ = 0;
};

/// Queries, each the numbers of the lists that it intersects. Repeated numbers do no harm; a query of no list has no
/// result; a query of one list has that list as its result.
struct TANDEM_API Queries {
  std::vector<std::uint64_t> starts{0};  // query q is lists[starts[q]] … lists[starts[q+1] − 1]
  std::vector<std::uint32_t> lists;

  void add(std::span<const std::uint32_t> query);
  void add(std::initializer_list<std::uint32_t> query) { add(std::span(query.begin(), query.size())); }
  std::int64_t size() const { return static_cast<std::int64_t>(starts.size()) - 1; }
  std::span<const std::uint32_t> operator[](std::int64_t query) const;
};

/// Queries made ready for an index, be it packed or not: the lists of each with the shortest first and none twice. An id of
/// the shortest list is a candidate, whether it is in the result depends on the other lists. Candidates of a query are cut
/// into pieces of `piece`, the last one shorter: what a thread or a block takes at once.
struct TANDEM_API QueryPlan {
  /// `starts` as an index has them. Throws InvalidArgument (starts of the queries that fall or do not fit their lists, a
  /// list number that the index does not have). O(lists).
  QueryPlan(std::span<const std::uint64_t> starts, const Queries& queries);

  std::int64_t queries, terms;
  std::int64_t candidates, pieces;  // in all
  std::int64_t longest;             // candidates of one query
  int most_terms;
  int piece;
  std::vector<std::uint64_t> words;  // the following, one behind the other, to be copied in one piece

  // Where they are, given where `words` is. Each has an element more than there are queries.
  const std::uint64_t* first_term(const std::uint64_t* at) const { return at; }
  const std::uint64_t* first_candidate(const std::uint64_t* at) const { return at + queries + 1; }
  const std::uint64_t* first_piece(const std::uint64_t* at) const { return at + 2 * (queries + 1); }
  const std::uint32_t* lists(const std::uint64_t* at) const {
    return reinterpret_cast<const std::uint32_t*>(at + 3 * (queries + 1));
  }

  static constexpr int kShortPiece = 512, kLongPiece = 2048;
};

}  // namespace tandem
