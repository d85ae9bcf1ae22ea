#pragma once
// intersect: for each query of a batch, the ids that all of its posting lists hold, ascending; or how many
// they are.

#include <algorithm>
#include <array>
#include <cstdint>

#include "lib/core/registry.h"
#include "lib/ops/intersect/packed_list.h"
#include "lib/ops/intersect/plan.h"

namespace tandem {

struct Intersect {
  static constexpr const char* name = "intersect";
  static constexpr const char* meaning = "for each query, the ids that all of its ascending lists hold";
  /// thin: no list is kept as bits, so what is fastest elsewhere on a CPU is not there.
  static constexpr std::array<std::string_view, 4> variants = {"ids", "count", "ids, thin", "count, thin"};
  static constexpr std::array<std::string_view, 3> features = {"length", "queries", "skew"};

  /// In which form the lists are there.
  enum class Form : std::uint8_t { both, plain, packed };

  struct Shape {
    std::int64_t queries, lists;  // lists of one query at the most
    std::int64_t average = 0;     // ids of the queries' lists
    std::int64_t candidates = 0;  // ids of the queries' shortest lists, in all
    bool count_only = false;
    Form form = Form::both;
    bool dense = false;  // the index has lists of which KeptBits keeps bits
    std::int64_t scale() const { return average; }
    std::int64_t shortest() const { return candidates / std::max<std::int64_t>(1, queries); }  // on average
    std::array<std::int64_t, 3> features() const {
      return {average, queries, average / std::max<std::int64_t>(1, shortest())};
    }
    std::size_t variant() const { return count_only + 2 * std::size_t{!dense}; }
  };
  /// For implementations that read plain lists: all that do not say otherwise.
  static std::string refuses(const Shape& shape, CaseId) {
    return shape.form == Form::packed ? "reads plain lists, and these are packed" : "";
  }
  /// For implementations that read packed lists.
  static std::string refuses_plain(const Shape& shape, CaseId) {
    return shape.form == Form::plain ? "reads packed lists; make a PackedIndex of these" : "";
  }

  /// Ids in memory, ascending.
  template <class T>
  struct List {
    const T* ids;
    std::int64_t size;
  };

  template <class Element>
  struct Case {
    using T = Element;
    static constexpr CaseId id{type_of<T>, OperatorId::none};
    struct Args : PlanView {
      const T* ids;                 // of all lists; null where they are only packed
      const std::uint64_t* starts;  // where each list starts, lists + 1 of them
      PackedLists packed;           // the same lists, or null pointers
      std::int64_t lists;
      /// Either the results, in CSR: query q's are out[offsets[q]] … out[offsets[q+1] − 1]; room for all
      /// candidates, what lies behind the last result is unspecified. Or only their numbers.
      std::uint64_t* offsets;
      T* out;
      std::uint64_t* counts;
      /// For libraries that are called list by list or keep a form of their own of an index: the plan and the
      /// starts in host memory, and a unique id of the index.
      PlanView host;
      const std::uint64_t* host_starts;
      std::uint64_t serial;
      const Index* index;  // for paths of the CPU that keep bits with it; null where there is none

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

  /// Without a candidate there is no result, but the offsets or counts say so.
  template <class C>
  static bool done_without_work(const typename C::Args& a, Context& ctx) {
    if (a.candidates > 0) return false;
    if (a.offsets)
      ctx.fill(a.offsets, 0, static_cast<std::size_t>(a.queries + 1) * sizeof *a.offsets);
    else if (a.queries > 0)
      ctx.fill(a.counts, 0, static_cast<std::size_t>(a.queries) * sizeof *a.counts);
    return true;
  }
};

}  // namespace tandem
