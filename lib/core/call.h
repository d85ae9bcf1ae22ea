#pragma once
// The step from a checked call, whose types are known, to an implementation.

#include <array>
#include <utility>

#include "lib/core/choice.h"
#include "lib/core/context_impl.h"
#include "lib/core/require.h"
#include "tandem/options.h"

namespace tandem {

/// A shape on the scale of --n, by which measurements are looked up: a contract's Shape has `n` or scale().
template <class Shape>
std::int64_t scale(const Shape& shape) {
  if constexpr (requires { shape.scale(); })
    return shape.scale();
  else
    return shape.n;
}

/// What a choice is looked up by, besides type and variant.
template <class Shape>
Features features(const Shape& shape) {
  if constexpr (requires { shape.features(); })
    return shape.features();
  else
    return {scale(shape)};
}

/// What measurements tell apart besides type and size: a contract that has such variants lists their names in
/// `Contract::variants`, and its Shape says which one it is in variant().
template <class Contract>
constexpr std::size_t variant_count() {
  if constexpr (requires { Contract::variants; })
    return Contract::variants.size();
  else
    return 1;
}

namespace detail {
template <class Contract, class C, std::size_t... v>
std::array<CallSite, sizeof...(v)> call_sites(std::index_sequence<v...>) {
  const int first = reserve_slots(sizeof...(v));
  if constexpr (requires { Contract::variants; })
    return {CallSite{Contract::name, C::id, Contract::variants[v], first + static_cast<int>(v)}...};
  else
    return {CallSite{Contract::name, C::id, "", first + static_cast<int>(v)}...};
}
}  // namespace detail

/// What a call of this shape runs. A contract may ask more of the automatic choice than of a path that is asked
/// for by name: in `automatic(shape)`.
template <class Contract, class C>
Choice choice_for(Context& ctx, typename Contract::Shape shape, const Options& options) {
  constexpr std::size_t kVariants = variant_count<Contract>();
  static const auto sites = detail::call_sites<Contract, C>(std::make_index_sequence<kVariants>());
  std::size_t variant = 0;
  if constexpr (kVariants > 1) variant = shape.variant();
  if constexpr (requires { Contract::automatic(shape); }) {
    if (options.use.empty()) shape = Contract::automatic(shape);
  }
  return choose(sites[variant], &shape, features(shape), ctx, options);
}

template <class Contract, class C>
void call(Context& ctx, const typename C::Args& args, const typename Contract::Shape& shape,
          const Options& options) {
  if constexpr (!requires { shape.portable; }) {
    if (options.bits == Bits::portable) {
      throw InvalidArgument(
          std::string(Contract::name) +
          ": bits is portable; only reduce and random have paths that give the same bits on every machine");
    }
  }
  const Choice choice = choice_for<Contract, C>(ctx, shape, options);
  run(*choice.implementation, case_index<Contract, C>(), &args, ctx, choice.why);
}

}  // namespace tandem
