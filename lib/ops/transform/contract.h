#pragma once
// transform: z[i] = f(x[i], y[i], …). Elements are independent of each other.

#include <cstdint>

#include "lib/core/registry.h"
#include "tandem/transform.h"

namespace tandem {

struct Transform {
  static constexpr const char* name = "transform";
  static constexpr const char* meaning = "z[i] = f(x[i], y[i], …) of one to four inputs";

  struct Shape {
    std::int64_t n;
    bool in_place = false;  // z is one of the inputs
  };

  template <class Element, class Function>
  struct Case {
    using T = Element;
    using F = Function;
    static constexpr CaseId id{type_of<T>, F::id};
    static constexpr int kInputs = detail::inputs_of<F, T>;
    struct Args {
      const T* in[kInputs];  // n elements each; may be the same array
      std::int64_t n;
      T* out;  // n elements; may be any of the inputs
      F f;
    };
    /// f of the elements that get(0), get(1), … stand for.
    template <class Get>
    TANDEM_HD static T apply(const F& f, Get get) {
      if constexpr (kInputs == 1)
        return f(get(0));
      else if constexpr (kInputs == 2)
        return f(get(0), get(1));
      else if constexpr (kInputs == 3)
        return f(get(0), get(1), get(2));
      else
        return f(get(0), get(1), get(2), get(3));
    }
    /// Result i.
    TANDEM_HD static T at(const Args& a, std::int64_t i) {
      return apply(a.f, [&](int k) { return a.in[k][i]; });
    }
  };

  template <class T>
  using Six = CaseList<Case<T, Plus>, Case<T, Negate>, Case<T, Square>, Case<T, Axpy<T>>,
                       Case<T, MultiplyAdd>, Case<T, Dot2>>;
  using Cases = Joined<Six<float>, Six<double>, Six<std::int32_t>, Six<std::int64_t>>;

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context&) {
    return args.n == 0;
  }
};

}  // namespace tandem
