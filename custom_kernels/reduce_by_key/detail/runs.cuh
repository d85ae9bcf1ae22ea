#pragma once
// What tiles tell each other: how many runs begin in a part of an array, and what its last one has.

#include <cstdint>

#include "tandem/device/launch.cuh"
#include "tandem/operators.h"

namespace tandem {

/// What a part of an array has: how many runs begin there, and op over its last one. In words of 4 bytes, so that a
/// descriptor of floats has three.
template <class T>
struct Runs {
  T value;
  std::uint32_t low, high;
  __device__ Runs(T last, std::int64_t count)
      : value(last), low(std::uint32_t(count)), high(std::uint32_t(std::uint64_t(count) >> 32)) {}
  Runs() = default;
  __device__ std::int64_t count() const { return std::int64_t(std::uint64_t(high) << 32 | low); }
};
template <class Op>
struct JoinRuns {
  template <class R>
  __device__ static R identity() {
    return {Op::template identity<decltype(R::value)>(), 0};
  }
  template <class T>
  __device__ Runs<T> operator()(const Runs<T>& a, const Runs<T>& b) const {
    return {b.count() > 0 ? b.value : Op{}(a.value, b.value), a.count() + b.count()};
  }
};

}  // namespace tandem
