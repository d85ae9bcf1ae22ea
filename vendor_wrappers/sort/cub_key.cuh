#pragma once
// The types that CUB knows floating-point numbers of 16 bits by.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "tandem/types.h"

namespace tandem {

template <class T>
struct CubKey {
  using Type = T;
};
template <>
struct CubKey<half> {
  using Type = __half;
};
template <>
struct CubKey<bfloat16> {
  using Type = __nv_bfloat16;
};
template <class T>
using cub_key_t = typename CubKey<T>::Type;

}  // namespace tandem
