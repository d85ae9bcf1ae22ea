#pragma once
// reverse: out[i] = in[n−1−i].

#include <cstdint>

#include "lib/core/registry.h"

namespace tandem {

struct Reverse {
  static constexpr const char* name = "reverse";
  static constexpr const char* meaning = "out[i] = in[n-1-i]";

  struct Shape {
    std::int64_t n;
  };

  template <class Element>
  struct Case {
    using T = Element;
    static constexpr CaseId id{type_of<T>, OperatorId::none};
    struct Args {
      const T* in;  // n elements
      std::int64_t n;
      T* out;  // n elements, apart from in
    };
  };
  using Cases = CaseList<Case<float>, Case<std::int32_t>>;

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context&) {
    return args.n == 0;
  }
};

}  // namespace tandem
