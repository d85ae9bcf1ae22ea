// Idea:    an input that one block can hold needs no descriptors. Each warp scans its own elements in shared
//          memory, a chunk of consecutive ones per thread; the warps exchange their totals at one barrier.
// New:     against lookback, nothing is published, no epoch is read or counted, and as many warps start as
//          there are elements for: lookback's tile of 12,288 floats goes through all its rows for ten of them.
// Expect:  a launch, one trip to memory and back, and a chain of about 3 chunks and 10 shuffles. The chunk is
//          odd, so the 32 lanes hit 32 different banks.
// Limits:  11,264 elements of 4 bytes or less, 5,120 of 8: what 48 KB of shared memory hold.
// Source:  Harris, Sengupta, Owens 2007, "Parallel prefix sum (scan) with CUDA"; warp scans by shuffles.

#include "lib/ops/scan/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

constexpr int kMostThreads = 1024;
/// Elements of a thread at the most, an odd number: of so many bytes, 48 KB hold those of a block.
constexpr int kMostChunk[] = {0, 11, 11, 11, 11, 5, 5, 5, 5};
template <class T>
constexpr int kMostElements = kMostChunk[sizeof(T)] * kMostThreads;

template <class C>
__global__ void __launch_bounds__(kMostThreads) scan_block(const typename C::T* in, int n, typename C::T* out,
                                                           bool exclusive, typename C::Acc init, int chunk) {
  using Acc = typename C::Acc;
  using Op = typename C::Op;
  __shared__ Shared<Acc, kMostElements<Acc>> elements;
  __shared__ Shared<Acc, kMostThreads / kWarp> warp_totals;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const int begin = warp * kWarp * chunk, end = begin + kWarp * chunk;
  start_early();
  for (int i = begin + lane; i < end; i += kWarp)
    elements[i] = i < n ? C::load(in[i]) : Op::template identity<Acc>();
  __syncwarp();

  const int first = begin + lane * chunk;
  Acc total = elements[first];
  for (int k = 1; k < chunk; ++k) total = Op{}(total, elements[first + k]);
  const Acc through = warp_inclusive_scan<Op>(total);
  const Acc below = shuffle_up(through, 1);
  if (lane == kWarp - 1) warp_totals[warp] = through;
  __syncthreads();

  const bool has_total = lane < static_cast<int>(blockDim.x) / kWarp;
  const Acc of_warps =
      warp_inclusive_scan<Op>(has_total ? Acc(warp_totals[lane]) : Op::template identity<Acc>());
  const Acc before = shuffle(of_warps, warp == 0 ? 0 : warp - 1);
  Acc running = warp == 0 ? init : Op{}(init, before);
  if (lane > 0) running = Op{}(running, below);
  for (int k = first; k < first + chunk; ++k) {
    const Acc next = Op{}(running, elements[k]);
    elements[k] = exclusive ? running : next;
    running = next;
  }
  __syncwarp();
  for (int i = begin + lane; i < min(n, end); i += kWarp) out[i] = C::result(elements[i]);
}

template <class C>
void one_block(const typename C::Args& a, Context& ctx) {
  const int n = static_cast<int>(a.n);
  const int chunk = static_cast<int>(ceil_div(n, kMostThreads)) | 1;
  const int warps = static_cast<int>(ceil_div(n, kWarp * chunk));
  launch_early(ctx, 1, warps * kWarp, 0, scan_block<C>, a.in, n, a.out, a.exclusive, a.init, chunk);
}

std::string too_long(const Scan::Shape& shape, CaseId id) {
  const int most = kMostThreads * kMostChunk[size_of(id.type)];
  if (shape.n <= most) return {};
  return "n = " + std::to_string(shape.n) + " exceeds " + std::to_string(most) + ": one block holds no more";
}

REGISTER(
    Scan, one_block, .note = "what one block can hold: no descriptors, one barrier",
    .depth = [](std::int64_t n) { return static_cast<double>(n) / 512 + 16; }, .refuses = too_long)

}  // namespace
}  // namespace tandem
