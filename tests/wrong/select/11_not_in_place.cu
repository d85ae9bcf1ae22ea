// Wrong:   moves elements to where they belong in place, while other blocks still read there.
// Caught:  the executor watches races between blocks, and runs them in other orders, too.

#include "lib/ops/select/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void not_in_place_element(typename C::Args a) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= a.n) return;
  std::int64_t before = 0;
  for (std::int64_t k = 0; k < i; ++k) before += a.keeps(k);
  const bool keep = a.keeps(i);
  if (i == a.n - 1) *a.count = before + keep;
  if (keep) a.out[before] = a.in[i];
}

template <class C>
void not_in_place(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, not_in_place_element<C>, a);
}

std::string short_no_partition(const Select::Shape& shape, CaseId) {
  if (shape.n > 600) return "quadratic work";
  return shape.kind == Select::Kind::partition ? "no partition" : "";
}

REGISTER(Select, not_in_place, .note = "wrong on purpose", .refuses = short_no_partition)

}  // namespace
}  // namespace tandem
