#pragma once
// segmented_scan: prefix sums that begin anew with each segment. Segments lie where offsets say, or have one length, or are
// runs of equal keys. inclusive: out[i] = op over its segment up to x[i]; exclusive: init ∘ op over it up to x[i−1], so that
// a segment begins with init. The operator need not commute: operands keep their order.

#include <array>
#include <cstdint>
#include <string_view>

#include "lib/ops/scan/contract.h"
#include "lib/ops/segmented_scan/keys.h"

namespace tandem {

struct SegmentedScan {
  static constexpr const char* name = "segmented_scan";
  static constexpr const char* meaning =
      "prefix sums of each segment of an array: by offsets, of one length, or runs of equal keys";
  static constexpr std::array<std::string_view, 3> variants = {"equal", "offsets", "keys"};

  enum class Form : std::uint8_t {
    equal,    // of one length
    offsets,  // from offset to offset
    keys,     // as long as keys are equal
  };

  struct Shape {
    std::int64_t n;
    Form form = Form::equal;
    std::int64_t segments = 1;  // where they are not runs of keys
    int key_bytes = 0;          // where they are: 4 or 8
    bool exclusive = false;
    bool in_place = false;
    std::size_t variant() const { return static_cast<std::size_t>(form); }
  };
  /// For implementations that know no keys.
  static std::string refuse_keys(const Shape& s, CaseId) {
    return s.form == Form::keys ? "takes offsets or one length, not keys" : "";
  }

  /// Where segments lie.
  struct Layout {
    Form form;
    std::int64_t n;               // elements that may lie in segments
    const std::int64_t* offsets;  // count + 1 of them, by offsets alone
    std::int64_t count;           // of segments, but of runs of keys
    std::int64_t length;          // of one length alone
    AnyKeys keys;                 // n of them, by keys alone

    /// The elements that lie in segments: from … to − 1.
    TANDEM_HD std::int64_t from() const { return form == Form::offsets ? offsets[0] : 0; }
    TANDEM_HD std::int64_t to() const { return form == Form::offsets ? offsets[count] : n; }
    /// Of segment s, not by keys.
    TANDEM_HD std::int64_t begin(std::int64_t s) const {
      return form == Form::offsets ? offsets[s] : s * length;
    }
    TANDEM_HD std::int64_t end(std::int64_t s) const {
      return form == Form::offsets ? offsets[s + 1] : (s + 1) * length;
    }
  };

  /// Elements, operands, partial results and results are those of scan.
  template <class Element, class Operator>
  struct Case : Scan::Case<Element, Operator> {
    using T = Element;
    using Op = Operator;
    using Acc = typename Scan::Case<T, Op>::Acc;
    struct Args {
      const T* in;
      T* out;  // may be `in`; elements outside all segments are not touched
      bool exclusive;
      Layout segments;
      /// What a segment begins with: the operator's identity, unless the caller of an exclusive scan gave another value.
      Acc init = Case::identity();
      bool with_init = false;  // whether the caller did

      /// init ∘ `part`, which is op over the beginning of a segment. Where no init was given its bits stay: −0 is not +0.
      TANDEM_HD Acc behind_init(Acc part) const { return with_init ? Op{}(init, part) : part; }
    };
  };
  template <class T>
  using Three = CaseList<Case<T, Plus>, Case<T, Minimum>, Case<T, Maximum>>;
  /// The last case is internal: it fails wherever operands are swapped.
  using Cases = Joined<Three<float>, Three<double>, Three<std::int32_t>, Three<std::int64_t>, Three<half>,
                       Three<bfloat16>, Three<std::int8_t>, Three<std::uint8_t>, Three<std::uint32_t>,
                       Three<std::uint64_t>, CaseList<Case<Bicyclic, Concatenate>>>;
  using Counting = Case<Counted, Plus>;

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context&) {
    return args.segments.n == 0 || (args.segments.form != Form::keys && args.segments.count == 0);
  }
};

}  // namespace tandem
