// Idea:    each block reduces its tile and combines the sum into the result with one atomic operation. Where
//          the device has no such atomic, a compare-and-swap loop builds it: compute, and store only if
//          nobody has stored meanwhile.
// New:     against reduce5_last_warp, no levels: one pass over the elements whatever n is, after a one-thread
//          kernel that sets the result to the identity.
// Expect:  the same traffic per element without partial sums and later launches. But all atomics go to one
//          word, and the L2 cache executes them one after another: hidden only while a block takes longer
//          over its tile than the cache over one atomic. A failed swap costs a round trip, so products of
//          many blocks crawl; minimum, maximum and the logical operators escape, since a value that
//          changes nothing is not stored.
// Limits:  blocks finish in any order, so floating-point results can differ in their
//          last bits from run to run.
// Source:  Kirk, Hwu, El Hajj, "Programming Massively Parallel Processors", 4th edition, chapter
//          10: the segmented kernel.

#include <bit>
#include <type_traits>

#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;  // a power of two

/// *result = op(*result, value), atomically.
template <class Op, class T>
__device__ void atomic_combine(T* result, T value) {
  using Word = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
  Word* address = reinterpret_cast<Word*>(result);
  if constexpr (Op::id == OperatorId::plus && std::is_integral_v<T>) {
    atomicAdd(address, static_cast<Word>(value));
  } else if constexpr (Op::id == OperatorId::plus) {
    atomicAdd(result, value);
  } else {
    T current = Op::template identity<T>();  // a first guess; a failed swap returns the real value
    for (;;) {
      const T next = Op{}(current, value);
      Word expected, desired;
      memcpy(&expected, &current, sizeof expected);
      memcpy(&desired, &next, sizeof desired);
      if (desired == expected) return;  // compared as bits: NaN equals itself
      const Word seen = atomicCAS(address, expected, desired);
      if (seen == expected) return;
      memcpy(&current, &seen, sizeof seen);
    }
  }
}

/// Type of the result that the blocks update. atomicAdd of floats flushes subnormal numbers to zero on a
/// device; atomicAdd of doubles does not.
template <class C>
using Total = std::conditional_t<C::id.op == OperatorId::plus && std::is_same_v<typename C::Acc, float>,
                                 double, typename C::Acc>;

template <class C>
__global__ void segmented_atomic_start(Total<C>* total) {
  *total = C::Op::template identity<Total<C>>();
}

template <class C>
__global__ void segmented_atomic_finish(const Total<C>* total, typename C::Acc* out) {
  *out = static_cast<typename C::Acc>(*total);
}

template <class C>
__global__ void segmented_atomic_tile(const typename C::T* in, std::int64_t n, Total<C>* total) {
  using Op = typename C::Op;
  __shared__ Shared<typename C::Acc, kThreads> tile;
  const int threads = blockDim.x;
  const int t = threadIdx.x;
  const std::int64_t i = std::int64_t(blockIdx.x) * 2 * threads + t;
  auto sum = i < n ? C::load(in[i]) : Op::template identity<typename C::Acc>();
  if (i + threads < n) sum = Op{}(sum, C::load(in[i + threads]));
  tile[t] = sum;
  __syncthreads();

  for (int stride = threads / 2; stride > kWarp; stride /= 2) {
    if (t < stride) tile[t] = Op{}(tile[t], tile[t + stride]);
    __syncthreads();
  }
  if (t >= kWarp) return;
  for (int stride = kWarp; stride > 0; stride /= 2) {
    if (t < stride) tile[t] = Op{}(tile[t], tile[t + stride]);
    __syncwarp();
  }
  if (t == 0) atomic_combine<Op>(total, static_cast<Total<C>>(tile[0]));
}

template <class C>
void segmented_atomic(const typename C::Args& a, Context& ctx) {
  constexpr bool kInPlace = std::is_same_v<Total<C>, typename C::Acc>;
  Total<C>* total;
  if constexpr (kInPlace) total = a.out;
  if constexpr (!kInPlace) total = ctx.scratch<Total<C>>(1);
  launch(ctx, 1, 1, 0, segmented_atomic_start<C>, total);
  launch(ctx, ceil_div(a.n, 2 * kThreads), kThreads, 0, segmented_atomic_tile<C>, a.in, a.n, total);
  if constexpr (!kInPlace) launch(ctx, 1, 1, 0, segmented_atomic_finish<C>, total, a.out);
}

double depth(std::int64_t n) {
  return std::bit_width(unsigned(2 * kThreads - 1)) + static_cast<double>(ceil_div(n, 2 * kThreads));
}

REGISTER(Reduce, segmented_atomic, .note = "one tree and one atomic per block, no levels", .depth = depth,
         .repeats = false)

}  // namespace
}  // namespace tandem
