// needs: cccl_top_k
// cub::DeviceTopK of a newer CCCL than the toolkit's. It gives keys in any order, so these k are sorted by
// cub::DeviceRadixSort. Both order NaNs by their bits, as if they were numbers.
// Limits:  keys alone: of those that are equal to the k-th it takes any.

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_topk.cuh>

#include "lib/core/library_call.h"
#include "lib/ops/top_k/contract.h"
#include "vendor_wrappers/common/cub.cuh"
#include "vendor_wrappers/sort/cub_key.cuh"

namespace tandem {
namespace {

template <class C>
void cub_newest(const typename C::Args& a, Context& ctx) {
  using T = cub_key_t<typename C::T>;
  const auto* keys = reinterpret_cast<const T*>(a.in);
  auto *found = ctx.scratch<T>(a.k), *sorted = reinterpret_cast<T*>(a.keys_out);
  const auto stream = static_cast<cudaStream_t>(ctx.stream());
  const bool falling = a.order.flip & 1;
  const auto environment = cuda::std::execution::env{
      cuda::stream_ref{stream}, cuda::execution::require(cuda::execution::determinism::not_guaranteed,
                                                         cuda::execution::output_ordering::unsorted)};
  call_library(ctx, [&] {
    // The bytes that it needs depend on n and k.
    call_cub(ctx, a.n << 20 ^ a.k, "cub::DeviceTopK", [&](void* scratch, std::size_t& bytes) {
      return falling ? cub::DeviceTopK::MaxKeys(scratch, bytes, keys, found, a.n, a.k, environment)
                     : cub::DeviceTopK::MinKeys(scratch, bytes, keys, found, a.n, a.k, environment);
    });
    call_cub(ctx, a.k, "cub::DeviceRadixSort", [&](void* scratch, std::size_t& bytes) {
      constexpr int kBits = 8 * sizeof(T);
      return falling ? cub::DeviceRadixSort::SortKeysDescending(scratch, bytes, found, sorted, a.k, 0, kBits,
                                                                stream)
                     : cub::DeviceRadixSort::SortKeys(scratch, bytes, found, sorted, a.k, 0, kBits, stream);
    });
  });
}

REGISTER(
    TopK, cub_newest, .note = "cub::DeviceTopK of another CCCL, and cub::DeviceRadixSort of the k",
    .version = LIBRARY_VERSION("CUB", CUB),
    .refuses = [](const TopK::Shape& shape, CaseId) -> std::string {
      return shape.positions ? "of keys that are equal to the k-th it takes any" : "";
    },
    .loses_digits_on = "special", .deviates = "orders NaNs by their bits: those with a sign come first")

}  // namespace
}  // namespace tandem
