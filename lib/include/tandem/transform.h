#pragma once
// transform: z[i] = f(x[i]), f(x[i], y[i]), f(x[i], y[i], w[i]), and so on for any number of inputs zipped.
//
// Elements are independent, so there is no order to choose: implementations differ in how they move the data,
// and in whether the hardware fuses x·y + w into one rounding (docs/promises.md).

#include <tuple>

#include "tandem/array.h"
#include "tandem/operators.h"
#include "tandem/options.h"

namespace tandem {

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
/// How many elements of type T a function takes.
template <class F, class T>
constexpr int inputs_of = std::is_invocable_v<F, T>         ? 1
                          : std::is_invocable_v<F, T, T>    ? 2
                          : std::is_invocable_v<F, T, T, T> ? 3
                                                            : 4;
/// Element types and functions that transform is compiled for.
template <class T, class F>
constexpr bool transforms() {
  constexpr OperatorId id = F::id;
  constexpr bool function = id == OperatorId::plus || id == OperatorId::negate || id == OperatorId::square ||
                            id == OperatorId::axpy || id == OperatorId::multiply_add ||
                            id == OperatorId::dot2;
  if (!function || !std::is_same_v<T, accumulator_t<T>>) return false;
  if constexpr (id == OperatorId::axpy) return std::is_same_v<decltype(F::alpha), T>;
  return true;
}

/// An input or the output with what its checks need.
struct TransformArray {
  const void* data;
  std::int64_t size;
  std::size_t element_bytes, alignment;
};
/// Every array is right, all sizes agree, and z lies on an input exactly or not at all.
TANDEM_API void check_transform(Context& ctx, const TransformArray& z, std::span<const TransformArray> in);
/// in: as many as the function takes; scalar: axpy's alpha.
TANDEM_API void transform(Context& ctx, CaseId id, const TransformArray& z,
                          std::span<const TransformArray> in, const void* scalar, const Options& options);

template <class T>
TransformArray transform_array(const View<T>& v) {
  return {v.data, v.size, sizeof(T), alignof(T)};
}

template <class F, class Out, class... In>
void transform(Context& ctx, const F& f, const View<Out>& z, const Options& options,
               const View<const In>&... in) {
  if constexpr (Enumerated<F>) {
    static_assert((std::is_same_v<In, Out> && ...), "transform: all arrays must hold one type of element");
    static_assert(
        transforms<Out, F>(),
        "transform has no such combination of element type and function (axpy's scalar must have the "
        "type of the elements)");
    static_assert(inputs_of<F, Out> == sizeof...(In),
                  "transform: the function takes another number of inputs");
    const TransformArray inputs[] = {transform_array(in)...};
    const void* scalar = nullptr;
    if constexpr (requires { f.alpha; }) scalar = &f.alpha;
    transform(ctx, CaseId{type_of<Out>, F::id}, transform_array(z), inputs, scalar, options);
  } else {
    static_assert(
        requires { transform_any(ctx, f, z, options, in...); },
        "this is no function of Tandem's own: include <tandem/functors.cuh> and compile with nvcc");
    const TransformArray inputs[] = {transform_array(in)...};
    const Lending lending(ctx);
    translated([&] {
      check_transform(ctx, transform_array(z), inputs);
      transform_any(ctx, f, z, options, in...);
    });
  }
}
}  // namespace detail

/// z[i] = f(x[i], y[i], …) in the memory of the context, without waiting for it.
///
/// f: negate, square (of x); plus, axpy(alpha) (of x, y); multiply_add (of x, y, w); dot2 (of x, y, w, v,
/// zipped), for elements of type float, double, int32, int64, uint32 and uint64; with <tandem/functors.cuh> any functor of
/// any types. All arrays have the size of x. z may be any of the inputs, exactly; any other overlap is
/// refused. The same array may be given for several inputs. Integers wrap; a product that is added to
/// something may be fused with the addition. O(n) work, one read of each input and one write; allocates
/// nothing. Throws InvalidArgument (sizes differ, null pointers, host memory in a device context, partial
/// overlap, unknown options.use), Unavailable (options.use cannot run here), DeviceError.
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
