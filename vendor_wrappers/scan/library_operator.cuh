#pragma once
// CUB and Thrust have launch settings tuned for their own functors, and recognise an operator by its type
// alone. So the wrappers pass the functor of the library wherever it means the same as ours.

#include <cuda/functional>
#include <cuda/std/functional>

#include "tandem/device/launch.cuh"

namespace tandem {
namespace {  // files may find different libraries

/// Element type and operator that are passed to the library. Minimum and maximum of floating-point numbers
/// stay ours, because those of the library drop a NaN.
template <class C>
struct Library {
  using T = typename C::T;
  using Op = typename C::Op;
  static constexpr bool kInteger = std::is_integral_v<T>;
  static constexpr bool kPlus = std::is_same_v<Op, Plus>;

  // Sums of integers are taken unsigned, which wraps: signed overflow would be undefined in
  // the plus of the library.
  using Element =
      typename std::conditional_t<kInteger && kPlus, std::make_unsigned<T>, std::type_identity<T>>::type;

  static auto op() {
    if constexpr (kPlus)
      return ::cuda::std::plus<Element>{};
    else if constexpr (kInteger && std::is_same_v<Op, Minimum>)
      return ::cuda::minimum<Element>{};
    else if constexpr (kInteger && std::is_same_v<Op, Maximum>)
      return ::cuda::maximum<Element>{};
    else
      return Op{};
  }
};

}  // namespace
}  // namespace tandem
