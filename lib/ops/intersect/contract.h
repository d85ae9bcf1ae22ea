#pragma once
// intersect: for each query of a batch, the ids that all of its posting lists hold, ascending; or how many they are.
//
// Who calls it needs an Index or a PackedIndex, Queries, and the functions at the end; struct Intersect is what
// implementations and tests are made of.

#include <cstdint>
#include <functional>
#include <vector>

#include "lib/core/call.h"
#include "lib/harness/operation.h"
#include "tandem/packed_postings.h"

namespace tandem {

struct Intersect {
  static constexpr const char* name = "intersect";
  static constexpr const char* meaning = "for each query, the ids that all of its ascending lists hold";
  static constexpr Bound bound = Bound::read;
  static constexpr const char* extents = "queries x lists x length x skew";
  static constexpr int kExtents = 4;
  static constexpr std::int64_t executor_size = 64;
  static std::vector<std::int64_t> bench_sizes() { return {1000, 19899}; }

  /// How the ids of the tests lie. zipf: lists of many lengths, clustered, 2 to `lists` of them in a query, as in a
  /// collection of documents; all others: each query has `lists` lists of its own, the shortest of `length` ids, the
  /// longest `skew` times as long.
  enum class Pattern : std::uint8_t {
    zipf,
    random,
    dense,        // every second number or more
    equal,        // all lists of a query the same
    disjoint,     // nothing in common, though the ranges overlap
    nested,       // each list holds all of the shorter ones
    alternating,  // odd numbers against even ones, a few in both
    high,         // up to 2^32 − 1
    odd,          // what is legal but odd: empty lists, no lists, one list, one list many times, many lists
  };

  /// How the lists are there.
  enum class Form : std::uint8_t { both, plain, packed };

  struct Shape {
    std::int64_t queries, lists, length, skew;
    Pattern pattern = Pattern::random;
    bool count_only = false;
    std::uint64_t seed = 1;
    Form form = Form::both;
    std::int64_t scale() const { return length; }
  };
  /// Of all that does not say otherwise.
  static std::string refuses(const Shape& shape, CaseId) {
    return shape.form == Form::packed
               ? "reads plain lists, and these are packed (on the command line: leave out --packed)"
               : "";
  }
  /// Of what reads packed lists.
  static std::string refuses_plain(const Shape& shape, CaseId) {
    return shape.form == Form::plain
               ? "reads packed lists; make a PackedIndex of these (on the command line: --packed)"
               : "";
  }

  /// Ids in memory, ascending.
  template <class T>
  struct List {
    const T* ids;
    std::int64_t size;
  };

  /// Whether an implementation reads packed lists, and so needs a PackedIndex.
  TANDEM_API static bool reads_packed(const Implementation& implementation);

  template <class Element>
  struct Case {
    using T = Element;
    static constexpr CaseId id{type_of<T>, OperatorId::none};
    struct Args {
      const T* ids;                 // of all lists; null where they are only packed
      const std::uint64_t* starts;  // see Index
      PackedLists packed;           // the same lists, or null pointers
      std::int64_t lists;
      const std::uint64_t *first_term, *first_candidate, *first_piece;  // see QueryPlan
      const std::uint32_t* terms;
      std::int64_t queries, term_count, candidates, pieces, longest;
      int most_terms, piece;
      /// Either the results, in CSR: query q's are out[offsets[q]] … out[offsets[q+1] − 1]; room for all candidates,
      /// what lies behind the last result is unspecified. Or only their numbers.
      std::uint64_t* offsets;
      T* out;
      std::uint64_t* counts;
      /// For libraries that are called list by list or keep a form of their own of an index.
      const std::uint64_t *host_starts, *host_words;
      std::uint64_t serial;

      TANDEM_HD std::int64_t terms_of(std::int64_t q) const {
        return static_cast<std::int64_t>(first_term[q + 1] - first_term[q]);
      }
      /// The t-th shortest list of query q.
      TANDEM_HD List<T> list(std::int64_t q, std::int64_t t) const {
        const std::uint64_t* at = starts + number_of(q, t);
        return {ids + at[0], static_cast<std::int64_t>(at[1] - at[0])};
      }
      TANDEM_HD PackedList packed_list(std::int64_t q, std::int64_t t) const {
        return packed[number_of(q, t)];
      }
      TANDEM_HD std::uint32_t number_of(std::int64_t q, std::int64_t t) const {
        return terms[first_term[q] + static_cast<std::uint64_t>(t)];
      }
    };
  };
  using Cases = CaseList<Case<std::uint32_t>>;

  static std::vector<Trial> tests(CaseId id, Extent extent, std::uint64_t seed);
  static std::vector<Trial> benchmarks(CaseId id, std::span<const std::int64_t> extents, std::uint64_t seed);
  /// n: the average length of the lists; of up to 1,000 queries of 2 to 5 lists, as in a collection of documents.
  static std::vector<Trial> benchmarks(CaseId id, std::int64_t n, std::uint64_t seed);
  static Work work(CaseId id, const Shape& shape);

  /// Without a candidate there is no result, but the offsets or counts say so.
  template <class C>
  static bool done_without_work(const typename C::Args& a, Context& ctx) {
    if (a.candidates > 0) return false;
    if (a.offsets)
      ctx.backend()->fill(a.offsets, 0, static_cast<std::size_t>(a.queries + 1) * sizeof *a.offsets);
    else if (a.queries > 0)
      ctx.backend()->fill(a.counts, 0, static_cast<std::size_t>(a.queries) * sizeof *a.counts);
    return true;
  }
};

/// The results of a batch in host memory: query q's ids are ids[offsets[q]] … ids[offsets[q+1] − 1].
struct Intersections {
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> ids;
  std::span<const std::uint32_t> operator[](std::int64_t query) const {
    const auto q = static_cast<std::size_t>(query);
    return std::span(ids).subspan(offsets[q], offsets[q + 1] - offsets[q]);
  }
};

/// The index, packed if what `use` names reads nothing else.
TANDEM_API AnyIndex lists_for(std::string_view use, const Index& index);

/// Queries made ready for an index, in the memory of a context, for calls that leave their results there. Keeps what it
/// needs of the index alive. Throws InvalidArgument (see QueryPlan), OutOfMemory.
class TANDEM_API QueryBatch {
 public:
  QueryBatch(Context& ctx, const AnyIndex& index, const Queries& queries);
  std::int64_t queries() const { return plan_.queries; }
  /// How many ids the results can be together at the most: the lengths of each query's shortest list.
  std::int64_t most() const { return plan_.candidates; }

  const QueryPlan& plan() const { return plan_; }
  const AnyIndex& index() const { return index_; }
  const std::uint64_t* words() const { return words_.data(); }

 private:
  AnyIndex index_;
  QueryPlan plan_;
  Array<std::uint64_t> words_;
};

/// Intersects the lists of each query; the results stay in the memory of the context, without waiting for it.
///
/// offsets: std::uint64_t, queries + 1 of them; ids: std::uint32_t, room for batch.most(), of which what lies behind the
/// last result is unspecified. Query q's ids, ascending, are ids[offsets[q]] … ids[offsets[q+1] − 1]. A query of one list
/// has that list as its result, a query of none or with an empty list has no result; a list that is named twice counts
/// once. O(shortest list × lists × log(longest list)) per query or better; allocates nothing after the first call of a
/// shape. Throws InvalidArgument (arrays too short, null pointers, host memory in a device context, overlap, a batch of
/// another place, unknown options.use), Unavailable (options.use cannot run here), OutOfMemory, DeviceError.
/// Source:  Ding, König 2011, "Fast set intersection in memory"; Barbay, López-Ortiz, Lu, Salinger 2009, "An
///          experimental investigation of set intersection algorithms for text searching"; Ao et al. 2011, "Efficient
///          parallel lists intersection and index compression algorithms using graphics processing units".
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

/// The results of all queries, fetched to the host; see intersect_into. Uploads the queries, waits for the results. The
/// index is an Index or a PackedIndex; of the latter only what decodes lists can be used, and nothing else is chosen.
TANDEM_API Intersections intersect(Context& ctx, const AnyIndex& index, const Queries& queries,
                                   const Options& options = {});

/// How many ids each query has, fetched to the host.
TANDEM_API std::vector<std::uint64_t> intersect_count(Context& ctx, const AnyIndex& index,
                                                      const Queries& queries, const Options& options = {});

/// Calls result(query, its ids) for each query in turn, with the ids in host memory until it returns.
TANDEM_API void intersect_each(
    Context& ctx, const AnyIndex& index, const Queries& queries,
    const std::function<void(std::int64_t query, std::span<const std::uint32_t> ids)>& result,
    const Options& options = {});

}  // namespace tandem
