// Wrong:   each warp takes places for what it keeps from one counter, in the order in which warps come (warp-aggregated
//          atomics, with which the textbook filters where order does not matter).
// Caught:  results are compared in order, and the executor runs warps in other orders, too.

#include "lib/ops/select/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void order_lost_tile(typename C::Args a) {
  using Word = unsigned long long;
  const int lane = threadIdx.x % kWarp;
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const bool keep = i < a.n && a.keeps(i);
  const unsigned kept = __ballot_sync(kAllLanes, keep);
  std::int64_t first = 0;
  if (lane == 0) first = std::int64_t(atomicAdd(reinterpret_cast<Word*>(a.count), Word(__popc(kept))));
  first = shuffle(first, 0);
  if (keep) a.out[first + __popc(kept & ((1u << lane) - 1))] = a.in[i];
}

template <class C>
void order_lost(const typename C::Args& a, Context& ctx) {
  ctx.fill(a.count, 0, sizeof *a.count);
  launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, order_lost_tile<C>, a);
}

std::string no_partition(const Select::Shape& shape, CaseId id) {
  return shape.kind == Select::Kind::partition ? "no partition" : Select::refuses(shape, id);
}

REGISTER(Select, order_lost, .note = "wrong on purpose", .refuses = no_partition)

}  // namespace
}  // namespace tandem
