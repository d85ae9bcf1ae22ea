#pragma once
// CUB and Thrust carry launch settings tuned for their own functors, and know an operator by its type alone.
// The rivals get them wherever the library's functor means the same as ours.

#include <cuda/functional>
#include <cuda/std/functional>

#include "tandem/device/launch.cuh"

namespace tandem {

/// What the library is told: element type, operator, and how it reads an element.
/// minimum and maximum of floating-point numbers stay ours, because the library's drop a NaN.
template <class C>
struct Library {
  using T = typename C::T;
  using Op = typename C::Op;
  static constexpr bool kWhole = std::is_integral_v<T>;
  static constexpr bool kPlus = std::is_same_v<Op, Plus>;

  // Whole numbers wrap when unsigned; signed overflow would be undefined in the library's plus.
  using Element =
      typename std::conditional_t<kWhole && kPlus, std::make_unsigned<T>, std::type_identity<T>>::type;

  static auto op() {
    if constexpr (kPlus)
      return ::cuda::std::plus<Element>{};
    else if constexpr (kWhole && std::is_same_v<Op, Minimum>)
      return ::cuda::minimum<Element>{};
    else if constexpr (kWhole && std::is_same_v<Op, Maximum>)
      return ::cuda::maximum<Element>{};
    else
      return Op{};
  }
};

}  // namespace tandem
