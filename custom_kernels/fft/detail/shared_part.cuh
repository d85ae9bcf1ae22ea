#pragma once
// Numbers from one place of the dynamic shared memory on: as a pointer, but the executor checks each index.

#include "lib/ops/fft/complex.h"
#include "tandem/device/launch.cuh"

namespace tandem {

template <class T>
struct SharedPart {
  int begin;
  __device__ SharedPart operator+(int i) const { return {begin + i}; }
  __device__ Complex<T>& operator[](int i) const { return dynamic_shared<Complex<T>>()[begin + i]; }
};

}  // namespace tandem
