// Wrong:   unique looks at the element before through shared memory, and keeps the first element of each tile.
// Caught:  runs of equal elements cross tiles' edges.

#include "lib/ops/select/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void __launch_bounds__(kThreads) unique_at_edge_all(typename C::Args a) {
  __shared__ Shared<typename C::T, kThreads> tile;
  __shared__ Shared<int, kThreads> keeps;
  const int t = threadIdx.x;
  std::int64_t kept = 0;
  for (std::int64_t first = 0; first < a.n; first += kThreads) {
    const std::int64_t i = first + t;
    if (i < a.n) tile[t] = a.in[i];
    __syncthreads();
    keeps[t] = i < a.n && (a.kind == Select::Kind::unique ? t == 0 || !(tile[t - 1] == tile[t]) : a.keeps(i));
    __syncthreads();
    std::int64_t mine = kept;
    for (int k = 0; k < kThreads; ++k) {
      mine += k < t && keeps[k];
      kept += keeps[k];
    }
    if (keeps[t]) a.out[mine] = tile[t];
    __syncthreads();
  }
  if (t == 0) *a.count = kept;
}

template <class C>
void unique_at_edge(const typename C::Args& a, Context& ctx) {
  launch(ctx, 1, kThreads, 0, unique_at_edge_all<C>, a);
}

std::string short_no_partition(const Select::Shape& shape, CaseId id) {
  if (shape.n > 5000) return "one block";
  return shape.kind == Select::Kind::partition ? "no partition" : Select::refuses(shape, id);
}

REGISTER(Select, unique_at_edge, .note = "wrong on purpose", .refuses = short_no_partition)

}  // namespace
}  // namespace tandem
