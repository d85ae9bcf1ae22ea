#pragma once
// The part of CUDA C++ that kernels may use on the executor. What is missing here is not supported, and a
// kernel that needs it fails to compile with the name of the missing built-in (docs/simt.md holds the table).

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "lib/core/types.h"
#include "lib/simt/executor.h"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static thread_local

using dim3 = tandem::simt::Dim3;
struct uint3 {
  unsigned x, y, z;
};
// Set by the executor whenever it switches threads.
extern constinit thread_local uint3 threadIdx, blockIdx;
extern constinit thread_local dim3 blockDim, gridDim;
inline constexpr int warpSize = 32;

using std::max;
using std::min;

// --- barriers and fences

inline void __syncthreads(tandem::simt::Site site = tandem::simt::Site::current()) {
  tandem::simt::block_barrier(false, site);
}
inline int __syncthreads_count(int predicate, tandem::simt::Site site = tandem::simt::Site::current()) {
  return tandem::simt::block_barrier(predicate != 0, site);
}
inline int __syncthreads_or(int predicate, tandem::simt::Site site = tandem::simt::Site::current()) {
  return tandem::simt::block_barrier(predicate != 0, site) > 0;
}
inline int __syncthreads_and(int predicate, tandem::simt::Site site = tandem::simt::Site::current()) {
  return tandem::simt::block_barrier(predicate == 0, site) == 0;
}
inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

// --- warp-synchronous calls

inline void __syncwarp(unsigned mask = 0xffffffffu, tandem::simt::Site site = tandem::simt::Site::current()) {
  tandem::simt::warp_meet(tandem::simt::WarpCall::barrier, mask, 0, 0, 32, site);
}

namespace tandem::simt {
template <class T>
T shuffle(WarpCall call, unsigned mask, T value, int argument, int width, Site site) {
  static_assert(sizeof(T) <= 8, "shuffles move 4 or 8 bytes");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = warp_meet(call, mask, bits, argument, width, site);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
}  // namespace tandem::simt

template <class T>
T __shfl_sync(unsigned mask, T value, int lane, int width = 32,
              tandem::simt::Site site = tandem::simt::Site::current()) {
  return tandem::simt::shuffle(tandem::simt::WarpCall::shuffle, mask, value, lane, width, site);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned distance, int width = 32,
                 tandem::simt::Site site = tandem::simt::Site::current()) {
  return tandem::simt::shuffle(tandem::simt::WarpCall::shuffle_up, mask, value, int(distance), width, site);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned distance, int width = 32,
                   tandem::simt::Site site = tandem::simt::Site::current()) {
  return tandem::simt::shuffle(tandem::simt::WarpCall::shuffle_down, mask, value, int(distance), width, site);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32,
                  tandem::simt::Site site = tandem::simt::Site::current()) {
  return tandem::simt::shuffle(tandem::simt::WarpCall::shuffle_xor, mask, value, lanes, width, site);
}
inline unsigned __ballot_sync(unsigned mask, int predicate,
                              tandem::simt::Site site = tandem::simt::Site::current()) {
  return unsigned(tandem::simt::warp_meet(tandem::simt::WarpCall::ballot, mask, predicate != 0, 0, 32, site));
}
inline int __any_sync(unsigned mask, int predicate, tandem::simt::Site site = tandem::simt::Site::current()) {
  return __ballot_sync(mask, predicate, site) != 0;
}
inline int __all_sync(unsigned mask, int predicate, tandem::simt::Site site = tandem::simt::Site::current()) {
  return __ballot_sync(mask, predicate, site) == mask;
}
template <class T>
unsigned __match_any_sync(unsigned mask, T value, tandem::simt::Site site = tandem::simt::Site::current()) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return unsigned(tandem::simt::warp_meet(tandem::simt::WarpCall::match, mask, bits, 0, 32, site));
}

// --- bit functions

inline int __popc(unsigned x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(unsigned(x)); }
inline int __ffs(int x) { return x ? std::countr_zero(unsigned(x)) + 1 : 0; }

// --- atomics: all return the old value

namespace tandem::simt {
template <class T, class F>
T atomic_update(T* address, F&& update) {
  T old, desired;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  do {
    desired = update(old);
  } while (!__atomic_compare_exchange(address, &old, &desired, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return old;
}
}  // namespace tandem::simt

template <class T>
T atomicAdd(T* address, std::type_identity_t<T> value) {
  return tandem::simt::atomic_update(address, [=](T old) { return tandem::detail::wrap_plus(old, value); });
}
template <class T>
T atomicMin(T* address, std::type_identity_t<T> value) {
  return tandem::simt::atomic_update(address, [=](T old) { return std::min(old, value); });
}
template <class T>
T atomicMax(T* address, std::type_identity_t<T> value) {
  return tandem::simt::atomic_update(address, [=](T old) { return std::max(old, value); });
}
template <class T>
T atomicExch(T* address, std::type_identity_t<T> value) {
  return tandem::simt::atomic_update(address, [=](T) { return value; });
}
template <class T>
T atomicCAS(T* address, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
  __atomic_compare_exchange(address, &expected, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
inline unsigned atomicInc(unsigned* address, unsigned limit) {
  return tandem::simt::atomic_update(address, [=](unsigned old) { return old >= limit ? 0 : old + 1; });
}
