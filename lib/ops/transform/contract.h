#pragma once
// transform: z[i] = f(x[i]), f(x[i], y[i]), f(x[i], y[i], w[i]), and so on for any number of inputs zipped.
//
// Elements have nothing to do with each other, so there is no order to choose: implementations differ in how
// they move the data, and in whether the hardware fuses x·y + w into one rounding (docs/promises.md).

#include <cstdint>
#include <tuple>

#include "lib/core/call.h"
#include "lib/harness/operation.h"

namespace tandem {

// --- functions
//
// The operator plus is one of them: vector addition. Integers wrap like unsigned arithmetic.

/// −x
struct Negate {
  static constexpr OperatorId id = OperatorId::negate;
  template <class T>
  TANDEM_HD constexpr T operator()(T x) const {
    if constexpr (std::is_integral_v<T>)
      return detail::wrap_multiplies(x, T(-1));
    else
      return -x;
  }
};

/// x²
struct Square {
  static constexpr OperatorId id = OperatorId::square;
  template <class T>
  TANDEM_HD constexpr T operator()(T x) const {
    return detail::wrap_multiplies(x, x);
  }
};

/// alpha·x + y; the scalar has the type of the elements.
template <class S>
struct Axpy {
  static constexpr OperatorId id = OperatorId::axpy;
  S alpha;
  template <class T>
  TANDEM_HD constexpr T operator()(T x, T y) const {
    return detail::wrap_plus(detail::wrap_multiplies(static_cast<T>(alpha), x), y);
  }
};

/// x·y + w
struct MultiplyAdd {
  static constexpr OperatorId id = OperatorId::multiply_add;
  template <class T>
  TANDEM_HD constexpr T operator()(T x, T y, T w) const {
    return detail::wrap_plus(detail::wrap_multiplies(x, y), w);
  }
};

/// x·y + w·v: the dot product of two pairs.
struct Dot2 {
  static constexpr OperatorId id = OperatorId::dot2;
  template <class T>
  TANDEM_HD constexpr T operator()(T x, T y, T w, T v) const {
    return detail::wrap_plus(detail::wrap_multiplies(x, y), detail::wrap_multiplies(w, v));
  }
};

inline constexpr Negate negate{};
inline constexpr Square square{};
template <class T>
constexpr Axpy<T> axpy(T alpha) {
  return {alpha};
}
inline constexpr MultiplyAdd multiply_add{};
inline constexpr Dot2 dot2{};

/// How many elements of type T a function takes.
template <class F, class T>
constexpr int inputs_of = std::is_invocable_v<F, T>         ? 1
                          : std::is_invocable_v<F, T, T>    ? 2
                          : std::is_invocable_v<F, T, T, T> ? 3
                                                            : 4;

struct Transform {
  static constexpr const char* name = "transform";
  static constexpr const char* meaning = "z[i] = f(x[i], y[i], …) of one to four inputs";
  static constexpr Bound bound = Bound::copy;

  struct Shape {
    std::int64_t n;
    bool in_place = false;  // z is the last input
    bool skewed = false;    // every array starts at an alignment of its own
  };

  template <class Element, class Function>
  struct Case {
    using T = Element;
    using F = Function;
    static constexpr CaseId id{type_of<T>, F::id};
    static constexpr int kInputs = inputs_of<F, T>;
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

  static std::vector<Trial> tests(CaseId id, Extent extent, std::uint64_t seed);
  static std::vector<Trial> benchmarks(CaseId id, std::int64_t n, std::uint64_t seed);
  static Work work(CaseId id, const Shape& shape);

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context&) {
    return args.n == 0;
  }
};

/// Inputs side by side, for functions of any number of arguments: zip(x, y, w, v).
template <class... In>
struct Zip {
  std::tuple<View<const In>...> in;
};
template <Viewable... In>
Zip<element_of<const In>...> zip(const In&... in) {
  return {{{view(in).data, view(in).size}...}};
}

namespace detail {
inline constexpr const char* kInputNames[] = {"x", "y", "w", "v"};  // as in the signatures below
inline const char* input_name(std::size_t k) { return k < 4 ? kInputNames[k] : "an input behind the fourth"; }

/// Every array is right, all sizes agree, and z lies on an input exactly or not at all.
template <class Out, class... In>
void check_transform(Context& ctx, const View<Out>& z, const View<const In>&... in) {
  const std::int64_t n = std::get<0>(std::tie(in...)).size;
  std::size_t k = 0;
  (require::array(ctx, "transform", input_name(k++), in.data, in.size, sizeof(In), alignof(In)), ...);
  require::array(ctx, "transform", "z", z.data, z.size, sizeof(Out), alignof(Out));
  k = 0;
  (require::same_size("transform", n, in.size, "x", input_name(k++)), ...);
  require::same_size("transform", n, z.size, "x", "z");
  k = 0;
  (require::overlap("transform", in.data, static_cast<std::size_t>(n) * sizeof(In), z.data,
                    static_cast<std::size_t>(n) * sizeof(Out), sizeof(In) == sizeof(Out), input_name(k++),
                    "z"),
   ...);
}

template <class F, class Out, class... In>
void transform(Context& ctx, const F& f, const View<Out>& z, const Options& options,
               const View<const In>&... in) {
  check_transform(ctx, z, in...);
  if constexpr (requires { F::id; }) {
    using C = Transform::Case<Out, F>;
    static_assert((std::is_same_v<In, Out> && ...), "transform: all arrays must hold one type of element");
    static_assert(
        case_index<Transform, C>() >= 0,
        "transform has no such combination of element type and function (axpy's scalar must have the "
        "type of the elements)");
    static_assert(C::kInputs == sizeof...(In), "transform: the function takes another number of inputs");
    call<Transform, C>(ctx, {{in.data...}, z.size, z.data, f}, {z.size, ((in.data == z.data) || ...)},
                       options);
  } else {
    static_assert(
        requires { transform_any(ctx, f, z, options, in...); },
        "this is no function of Tandem's own: include <tandem.cuh> and compile with nvcc");
    transform_any(ctx, f, z, options, in...);
  }
}
}  // namespace detail

/// z[i] = f(x[i], y[i], …) in the memory of the context, without waiting for it.
///
/// f: negate, square (of x); plus, axpy(alpha) (of x, y); multiply_add (of x, y, w); dot2 (of x, y, w, v,
/// zipped), for elements of type float, double, int32 and int64; with <tandem.cuh> any functor of any types.
/// All arrays have the size of x. z may be any of the inputs, exactly; any other overlap is refused. The same
/// array may be given for several inputs. Integers wrap; a product that is added to something may be fused
/// with the addition. O(n) work, one read of each input and one write; allocates nothing.
/// Throws InvalidArgument (sizes differ, null pointers, host memory in a device context, partial overlap,
/// unknown options.use), Unavailable (options.use cannot run here), DeviceError.
/// Source:  Blelloch 1990, "Vector models for data-parallel computing" (elementwise primitives); Lawson et
///          al. 1979, "Basic linear algebra subprograms for Fortran usage" (axpy).
template <class F, class... In, Viewable Z>
void transform(Context& ctx, const F& f, const Zip<In...>& inputs, Z&& z, const Options& options = {}) {
  const View<element_of<Z>> out{view(z).data, view(z).size};
  std::apply([&](const auto&... in) { detail::transform(ctx, f, out, options, in...); }, inputs.in);
}
template <class F, Viewable X, Viewable Z>
void transform(Context& ctx, const F& f, const X& x, Z&& z, const Options& options = {}) {
  tandem::transform(ctx, f, zip(x), z, options);
}
template <class F, Viewable X, Viewable Y, Viewable Z>
void transform(Context& ctx, const F& f, const X& x, const Y& y, Z&& z, const Options& options = {}) {
  tandem::transform(ctx, f, zip(x, y), z, options);
}
template <class F, Viewable X, Viewable Y, Viewable W, Viewable Z>
void transform(Context& ctx, const F& f, const X& x, const Y& y, const W& w, Z&& z,
               const Options& options = {}) {
  tandem::transform(ctx, f, zip(x, y, w), z, options);
}

}  // namespace tandem
