#pragma once
// reduce_by_key: one value from each run of equal keys, op over its elements, with the first key of the run, and how many
// runs there are. The order of applications within a run is an implementation's own.

#include <cstdint>
#include <string_view>

#include "lib/ops/reduce/contract.h"
#include "lib/ops/segmented_scan/keys.h"

namespace tandem {

struct ReduceByKey {
  static constexpr const char* name = "reduce_by_key";
  static constexpr const char* meaning = "one value from each run of equal keys, with its key";

  struct Shape {
    std::int64_t n;
    int key_bytes = 4;  // or 8
  };

  /// Elements, operands and results are those of reduce.
  template <class Element, class Operator>
  struct Case : Reduce::Case<Element, Operator> {
    using T = Element;
    using Op = Operator;
    using Acc = typename Reduce::Case<T, Op>::Acc;
    struct Args {
      AnyKeys keys;  // n of them
      const T* in;   // n
      std::int64_t n;
      void* keys_out;       // room for n, as all others apart from what is read; of the first count[0] …
      Acc* out;             // … each is written, no other
      std::int64_t* count;  // one: the number of runs
    };
  };
  template <class T>
  using Three = CaseList<Case<T, Plus>, Case<T, Minimum>, Case<T, Maximum>>;
  using Cases = Joined<Three<float>, Three<double>, Three<std::int32_t>, Three<std::int64_t>, Three<half>,
                       Three<bfloat16>, Three<std::int8_t>, Three<std::uint8_t>, Three<std::uint32_t>,
                       Three<std::uint64_t>>;

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context& ctx) {
    if (args.n == 0) ctx.fill(args.count, 0, sizeof *args.count);
    return args.n == 0;
  }
};

}  // namespace tandem
