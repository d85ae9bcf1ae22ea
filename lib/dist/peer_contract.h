#pragma once
// all_reduce by kernels that store into the memory of the other ranks: out[i] = op over in[i] of all ranks, in rank order.

#include <cstdint>

#include "lib/core/registry.h"
#include "tandem/device/peers.h"

namespace tandem {

struct AllReduce {
  static constexpr const char* name = "all_reduce";

  struct Shape {
    std::int64_t n;
  };

  template <class Element, class Operator>
  struct Case {
    using T = Element;
    using Op = Operator;
    using Acc = accumulator_t<T>;
    static constexpr CaseId id{type_of<T>, Op::id};
    struct Args {
      Peers peers;
      const T* in;  // n elements, on every rank as many
      T* out;       // may be in
      std::int64_t n;
    };
    TANDEM_HD static Acc load(T x) { return Op::lift(static_cast<Acc>(x)); }
  };

  template <class T>
  using Three = CaseList<Case<T, Plus>, Case<T, Minimum>, Case<T, Maximum>>;
  using Cases = Joined<Three<float>, Three<double>, Three<std::int32_t>, Three<std::int64_t>, Three<half>,
                       Three<bfloat16>>;

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context&) {
    return args.n == 0;
  }
};

}  // namespace tandem
