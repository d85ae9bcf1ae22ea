#pragma once
// The part of CUDA C++ that kernels may use on the executor. What is missing here is not supported, and a
// kernel that needs it fails to compile with the name of the missing built-in (docs/simt.md holds the table).

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>

#include "lib/simt/executor.h"
#include "tandem/operators.h"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__
#define __shared__ static thread_local

using dim3 = tandem::simt::Dim3;

namespace tandem::simt {
struct Index {
  unsigned x, y, z;
};
struct Indices {
  Index thread, block;
  Dim3 block_dim, grid_dim;
};
}  // namespace tandem::simt
/// Set by the executor whenever it switches threads.
extern TANDEM_API constinit thread_local tandem::simt::Indices tandem_simt_indices;
#define threadIdx tandem_simt_indices.thread
#define blockIdx tandem_simt_indices.block
#define blockDim tandem_simt_indices.block_dim
#define gridDim tandem_simt_indices.grid_dim
inline constexpr int warpSize = 32;

namespace tandem::simt {
/// Runs `body` once for each thread of the grid.
template <class Body>
void launch(Dim3 grid, Dim3 block, std::size_t shared_bytes, std::string implementation, const Body& body,
            const void* kernel = nullptr, bool early = false, bool together = false, unsigned cluster = 0) {
  launch({std::move(implementation), kernel, grid, block, shared_bytes,
          [](const void* context) { (*static_cast<const Body*>(context))(); }, &body, early, together,
          cluster});
}
}  // namespace tandem::simt

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
inline void __threadfence_block() { tandem::simt::fence(tandem::simt::Scope::block); }
inline void __threadfence() { tandem::simt::fence(tandem::simt::Scope::device); }
inline void __threadfence_system() { tandem::simt::fence(tandem::simt::Scope::system); }

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
template <class T>
std::uint64_t to_bits(T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "atomic operations take 4 or 8 bytes");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}
template <class T>
T from_bits(std::uint64_t bits) {
  T value;
  std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
  return value;
}
template <class T, class F>
T atomic_update(T* address, Site site, F&& update) {
  note_atomic(address, sizeof(T), Kind::atomic, site);
  std::uint64_t old = atomic_load(address, sizeof(T));
  while (!atomic_compare_exchange(address, sizeof(T), old, to_bits(update(from_bits<T>(old))))) {
  }
  return from_bits<T>(old);
}
}  // namespace tandem::simt

#define TANDEM_SITE tandem::simt::Site site = tandem::simt::Site::current()
template <class T>
T atomicAdd(T* address, std::type_identity_t<T> value, TANDEM_SITE) {
  return tandem::simt::atomic_update(address, site,
                                     [=](T old) { return tandem::detail::wrap_plus(old, value); });
}
template <class T>
T atomicMin(T* address, std::type_identity_t<T> value, TANDEM_SITE) {
  return tandem::simt::atomic_update(address, site, [=](T old) { return std::min(old, value); });
}
template <class T>
T atomicMax(T* address, std::type_identity_t<T> value, TANDEM_SITE) {
  return tandem::simt::atomic_update(address, site, [=](T old) { return std::max(old, value); });
}
template <std::integral T>
T atomicOr(T* address, std::type_identity_t<T> value, TANDEM_SITE) {
  return tandem::simt::atomic_update(address, site, [=](T old) { return static_cast<T>(old | value); });
}
template <class T>
T atomicExch(T* address, std::type_identity_t<T> value, TANDEM_SITE) {
  return tandem::simt::atomic_update(address, site, [=](T) { return value; });
}
template <class T>
T atomicCAS(T* address, std::type_identity_t<T> expected, std::type_identity_t<T> value, TANDEM_SITE) {
  tandem::simt::note_atomic(address, sizeof(T), tandem::simt::Kind::atomic, site);
  std::uint64_t old = tandem::simt::to_bits(expected);
  tandem::simt::atomic_compare_exchange(address, sizeof(T), old, tandem::simt::to_bits(value));
  return tandem::simt::from_bits<T>(old);
}
inline unsigned atomicInc(unsigned* address, unsigned limit, TANDEM_SITE) {
  return tandem::simt::atomic_update(address, site, [=](unsigned old) { return old >= limit ? 0 : old + 1; });
}
#undef TANDEM_SITE
