#pragma once
// CUB and Thrust have launch settings tuned for their own functors, and recognise an operator by its type
// alone. So the wrappers pass the functor of the library wherever it means the same as ours.

#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <cuda/functional>
#include <cuda/std/functional>

#include "tandem/device/launch.cuh"

namespace tandem {
namespace {  // files may find different libraries

/// Element type, operator and iterators that are passed to the library. Minimum and maximum of floating-point numbers
/// stay ours, because those of the library drop a NaN. Integers wrap in their own type; half and bfloat16 go through
/// iterators, so that the library accumulates in float, too.
template <class C>
struct Library {
  using T = typename C::T;
  using Op = typename C::Op;
  static constexpr bool kInteger = std::is_integral_v<T>;
  static constexpr bool kPlus = std::is_same_v<Op, Plus>;
  static constexpr bool kPlain = C::kLoadsPlain || (kInteger && !C::kLogical);

  // Sums of integers are taken unsigned, which wraps: signed overflow would be undefined in
  // the plus of the library.
  using Element = typename std::conditional_t<
      !kPlain, std::type_identity<typename C::Acc>,
      std::conditional_t<kInteger && kPlus, std::make_unsigned<T>, std::type_identity<T>>>::type;

  static auto in(const T* elements) {
    if constexpr (kPlain)
      return reinterpret_cast<const Element*>(elements);
    else
      return thrust::make_transform_iterator(elements, typename C::Load{});
  }
  static auto out(T* results) {
    if constexpr (std::is_same_v<T, Element> || kPlain)
      return reinterpret_cast<Element*>(results);
    else
      return thrust::make_transform_output_iterator(results, typename C::Result{});
  }
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
