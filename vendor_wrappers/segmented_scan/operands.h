#pragma once
// Elements as operands and operands as results, for libraries: where elements are too narrow for partial results, by
// iterators, so that the library accumulates in the wider type, too.

#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

namespace tandem {
namespace {  // files may find different libraries

template <class C>
auto operands(const typename C::T* in) {
  if constexpr (C::kLoadsPlain)
    return in;
  else
    return thrust::make_transform_iterator(in, typename C::Load{});
}
template <class C>
auto results(typename C::T* out) {
  if constexpr (C::kLoadsPlain)
    return out;
  else
    return thrust::make_transform_output_iterator(out, typename C::Result{});
}

}  // namespace
}  // namespace tandem
