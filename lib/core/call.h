#pragma once
// The step from a typed public function to an implementation.

#include "tandem/array.h"
#include "lib/core/registry.h"
#include "lib/core/require.h"

namespace tandem {

struct Options {
  /// Full or partial name of the implementation to run ("scan/custom/lookback", "custom/lookback",
  /// "lookback"); empty: the automatic choice.
  std::string_view use = {};
};

namespace detail {
/// A shape on the scale of --n, by which the automatic choice looks up measurements.
template <class Shape>
std::int64_t scale(const Shape& shape) {
  if constexpr (requires { shape.scale(); })
    return shape.scale();
  else
    return shape.n;
}

template <class Contract, class C>
void call(Context& ctx, const typename C::Args& args, const typename Contract::Shape& shape,
          const Options& options) {
  const Choice choice = choose(Contract::name, C::id, &shape, scale(shape), ctx, options.use);
  run(*choice.implementation, case_index<Contract, C>(), &args, ctx, choice.why);
}
}  // namespace detail

}  // namespace tandem
