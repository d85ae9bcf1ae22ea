#pragma once
// Warp-level primitives: the 32 threads of a warp exchange registers without shared memory. An operator with a state is
// passed as the last argument; its identity is op.template identity<T>().

#include "tandem/device/launch.cuh"

namespace tandem {

constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffffu;

namespace detail {
/// Moves a value of any size through a shuffle of 32-bit words.
template <class T, class Shuffle>
__device__ T shuffle_words(T value, Shuffle shuffle) {
  std::uint32_t words[(sizeof(T) + 3) / 4];
  memcpy(words, &value, sizeof value);
#pragma unroll
  for (std::uint32_t& word : words) word = shuffle(word);
  memcpy(&value, words, sizeof value);
  return value;
}
}  // namespace detail

/// The value of lane `lane`.
template <class T>
__device__ T shuffle(T value, int lane) {
  return detail::shuffle_words(value, [=](std::uint32_t w) { return __shfl_sync(kAllLanes, w, lane); });
}
/// The value of the lane `distance` below; the first lanes keep their own.
template <class T>
__device__ T shuffle_up(T value, int distance) {
  return detail::shuffle_words(value,
                               [=](std::uint32_t w) { return __shfl_up_sync(kAllLanes, w, distance); });
}
/// The value of the lane `distance` above; the last lanes keep their own.
template <class T>
__device__ T shuffle_down(T value, int distance) {
  return detail::shuffle_words(value,
                               [=](std::uint32_t w) { return __shfl_down_sync(kAllLanes, w, distance); });
}

/// The lanes whose lowest kBits bits of `value` are the same as this lane's: a vote for each bit, two at a time.
template <int kBits>
__device__ unsigned lanes_with(std::uint32_t value) {
  unsigned same = kAllLanes;
#pragma unroll
  for (int bit = 0; bit < kBits; bit += 2) {
    const unsigned first = 1u << bit, second = bit + 1 < kBits ? 2u << bit : 0;
#ifdef TANDEM_SIMT
    for (const unsigned mask : {first, second}) {
      const bool one = (value & mask) != 0;
      const unsigned ones = __ballot_sync(kAllLanes, one);
      same &= one ? ones : ~ones;
    }
#else
    // As C++ the same takes twice as many instructions: compilers extract every bit anew for its two uses.
    asm("{.reg .pred p, q; .reg .b32 a, b;\n\t"
        "and.b32 a, %1, %2; setp.ne.u32 p, a, 0; vote.sync.ballot.b32 a, p, 0xffffffff; @!p not.b32 a, a;\n\t"
        "and.b32 b, %1, %3; setp.ne.u32 q, b, 0; vote.sync.ballot.b32 b, q, 0xffffffff; @!q not.b32 b, b;\n\t"
        "lop3.b32 %0, %0, a, b, 0x80;}"
        : "+r"(same)
        : "r"(value), "r"(first), "r"(second));
#endif
  }
  return same;
}

/// Lane 0 gets op over all lanes, in lane order. 5 steps.
template <class Op, class T>
__device__ T warp_reduce(T value, Op op = {}) {
#pragma unroll
  for (int distance = 1; distance < kWarp; distance *= 2) value = op(value, shuffle_down(value, distance));
  return value;
}

/// Each lane gets op over itself and all lanes below, in lane order. 5 steps (Hillis, Steele 1986).
template <class Op, class T>
__device__ T warp_inclusive_scan(T value, Op op = {}) {
  const int lane = threadIdx.x % kWarp;
#pragma unroll
  for (int distance = 1; distance < kWarp; distance *= 2) {
    const T below = shuffle_up(value, distance);
    if (lane >= distance) value = op(below, value);
  }
  return value;
}
/// The same for several values of each lane at once, each scanned by itself: their shuffles overlap.
template <class Op, int kCount, class T>
__device__ void warp_inclusive_scans(T (&values)[kCount]) {
  const int lane = threadIdx.x % kWarp;
#pragma unroll
  for (int distance = 1; distance < kWarp; distance *= 2) {
    T below[kCount];
#pragma unroll
    for (int k = 0; k < kCount; ++k) below[k] = shuffle_up(values[k], distance);
#pragma unroll
    for (int k = 0; k < kCount; ++k) {
      if (lane >= distance) values[k] = Op{}(below[k], values[k]);
    }
  }
}

}  // namespace tandem
