#pragma once
// Posting lists and queries over them: what intersect computes with. A posting list holds the numbers of the
// documents that a word occurs in, ascending; a conjunctive query names lists and asks for what all of them
// hold.

#include <cstdint>
#include <initializer_list>
#include <span>
#include <variant>
#include <vector>

#include "tandem/context.h"
#include "tandem/handle.h"

namespace tandem {

/// Posting lists, loaded once and never changed. A copy of an Index is the same lists, not a copy of them.
/// Threads may share it. A device context gets its copy with its first call, kept until neither the index nor
/// the context is in use. On the CPU the first call whose path wants them makes bits of the dense lists, kept with
/// the index: of those with 128 ids or more, one to each 16 numbers of their range or more, at most half as much
/// memory again as their ids take, and 16 bytes for each list.
class TANDEM_API Index {
 public:
  /// List l is ids[starts[l]] … ids[starts[l+1] − 1]. starts: one element more than there are lists, from 0
  /// to ids.size(), never falling. Throws InvalidArgument (starts as above are not given, or a list whose ids
  /// do not ascend: its number and the position). Copies both; O(ids).
  Index(std::span<const std::uint64_t> starts, std::span<const std::uint32_t> ids);
  /// One list for each vector. Throws as above.
  explicit Index(std::span<const std::vector<std::uint32_t>> lists);

  std::int64_t lists() const;
  /// Ids of all lists together.
  std::int64_t ids() const;
  /// Memory that the lists and their starts take; bits of dense lists are not counted.
  std::size_t bytes() const;
  std::span<const std::uint32_t> operator[](std::int64_t list) const;
  /// In host memory, as the constructor takes them.
  std::span<const std::uint64_t> starts() const;
  const std::uint32_t* data() const;

  struct State;
  explicit Index(detail::Handle state) : state_(std::move(state)) {}  // for the library
  const State& state() const { return *static_cast<const State*>(state_.get()); }

 private:
  detail::Handle state_;
};

/// An index in the making: lists are appended piece by piece, and no id is written twice.
class TANDEM_API IndexBuilder {
 public:
  /// Room for `most_ids` ids.
  explicit IndexBuilder(std::uint64_t most_ids);
  /// Memory for `count` more ids of the current list, until finish(). The caller fills it, and sees to it
  /// that ids ascend. InvalidArgument where there is no room.
  std::uint32_t* append(std::uint64_t count);
  void end_list();
  Index finish();

 private:
  detail::Handle state_;
  std::uint64_t used_ = 0;
};

/// Queries, each the numbers of the lists that it intersects. Repeated numbers do no harm; a query of no list
/// has no result; a query of one list has that list as its result.
struct TANDEM_API Queries {
  std::vector<std::uint64_t> starts{0};  // query q is lists[starts[q]] … lists[starts[q+1] − 1]
  std::vector<std::uint32_t> lists;

  void add(std::span<const std::uint32_t> query);
  void add(std::initializer_list<std::uint32_t> query) { add(std::span(query.begin(), query.size())); }
  std::int64_t size() const { return static_cast<std::int64_t>(starts.size()) - 1; }
  std::span<const std::uint32_t> operator[](std::int64_t query) const;
};

/// The lists of an Index in a half to a quarter of the memory (lists of hundreds of ids or more), packed once
/// and never changed: blocks of 128 ids, whose gaps take as many bits as the largest of them needs. A copy of
/// a PackedIndex is the same lists. Threads may share it.
/// Source:  Lemire, Boytsov 2015, "Decoding billions of integers per second through vectorization"; Ao et al.
///          2011, "Efficient parallel lists intersection and index compression algorithms using graphics
///          processing units".
class TANDEM_API PackedIndex {
 public:
  /// O(ids), on all threads. Does not keep the index. Throws OutOfMemory.
  explicit PackedIndex(const Index& index);

  std::int64_t lists() const;
  /// Ids of all lists together.
  std::int64_t ids() const;
  /// Memory of the lists and of what finds their blocks: 24 bytes for each list, 8 for each block, and the
  /// gaps in units of 16 bytes. Lists of a few ids take more than in an Index, which has 8 for each list and
  /// 4 for each id.
  std::size_t bytes() const;
  /// The ids of a list. Throws InvalidArgument (no such list).
  std::vector<std::uint32_t> unpack(std::int64_t list) const;
  /// Where each list starts among all ids, lists() + 1 of them, in host memory.
  std::span<const std::uint64_t> starts() const;

  struct State;
  State& state() const { return *static_cast<State*>(state_.get()); }

 private:
  detail::Handle state_;
};

/// What queries can be asked of.
using AnyIndex = std::variant<Index, PackedIndex>;

}  // namespace tandem
