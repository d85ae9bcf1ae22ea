#pragma once
// select (stream compaction): the elements that are kept, in their order, and how many they are. What is kept is said
// by a predicate, by flags, or by the element before (unique). A partition puts the others behind them.

#include <array>
#include <cstdint>

#include "lib/core/registry.h"
#include "tandem/select.h"

namespace tandem {

struct Select {
  static constexpr const char* name = "select";
  static constexpr const char* meaning =
      "stream compaction: the elements that satisfy a predicate, in their order";
  static constexpr std::array<std::string_view, 4> variants = {"predicate", "flags", "unique", "partition"};

  using Kind = detail::Selection;

  struct Shape {
    std::int64_t n;
    Kind kind = Kind::predicate;
    bool in_place = false;
    std::size_t variant() const { return static_cast<std::size_t>(kind); }
  };
  /// For implementations that write results while others still read: all that do not say otherwise.
  static std::string refuses(const Shape& shape, CaseId) {
    return shape.in_place ? "in place: writes results before all elements are read" : "";
  }

  /// For those that write only where all have read, but still look at neighbours.
  static std::string takes_predicates_in_place(const Shape& shape, CaseId id) {
    return shape.kind == Kind::predicate ? "" : refuses(shape, id);
  }

  /// For the others.
  static std::string takes_all(const Shape&, CaseId) { return {}; }

  template <class Element>
  struct Case {
    using T = Element;
    static constexpr CaseId id{type_of<T>, OperatorId::none};
    struct Args {
      const T* in;  // n elements
      std::int64_t n;
      Kind kind;
      Range<T> range;             // of a predicate or a partition
      const std::uint8_t* flags;  // n of them where kind says so, else null
      T* out;  // room for n elements; may be `in`. Of them a partition writes all, others count[0]
      std::int64_t* count;  // one: how many are kept

      /// Whether element i, which is x, is kept.
      TANDEM_HD bool keeps(std::int64_t i, T x) const {
        switch (kind) {
          case Kind::flags:
            return flags[i] != 0;
          case Kind::unique:
            return i == 0 || !detail::equals(in[i - 1], x);
          default:
            return range(x);
        }
      }
      TANDEM_HD bool keeps(std::int64_t i) const { return keeps(i, in[i]); }
    };
  };
  using Cases =
      CaseList<Case<float>, Case<double>, Case<std::int32_t>, Case<std::int64_t>, Case<half>, Case<bfloat16>,
               Case<std::int8_t>, Case<std::uint8_t>, Case<std::uint32_t>, Case<std::uint64_t>>;

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context& ctx) {
    if (args.n == 0) ctx.fill(args.count, 0, sizeof *args.count);
    return args.n == 0;
  }
};

/// Calls body.operator()<kind>() for the kind of a call, so that loops are compiled for each.
template <class Body>
void for_kind(Select::Kind kind, Body&& body) {
  switch (kind) {
    case Select::Kind::predicate:
      return body.template operator()<Select::Kind::predicate>();
    case Select::Kind::flags:
      return body.template operator()<Select::Kind::flags>();
    case Select::Kind::unique:
      return body.template operator()<Select::Kind::unique>();
    case Select::Kind::partition:
      return body.template operator()<Select::Kind::partition>();
  }
}

}  // namespace tandem
