// cub::DeviceRadixSort of all keys with their positions, of which the first k are taken: CUB of the toolkit has no top-k.
// It orders NaNs by their bits, as if they were numbers.

#include <cub/device/device_radix_sort.cuh>

#include "vendor_wrappers/common/cub.cuh"
#include "vendor_wrappers/sort/cub_key.cuh"
#include "vendor_wrappers/sort/library_order.h"
#include "vendor_wrappers/top_k/sorted.cuh"

namespace tandem {
namespace {

template <class C>
void cub_sort(const typename C::Args& a, Context& ctx) {
  using T = cub_key_t<typename C::T>;
  using cub::DeviceRadixSort;
  const auto* keys = reinterpret_cast<const T*>(a.in);
  auto* sorted = ctx.scratch<T>(a.n);
  const auto stream = static_cast<cudaStream_t>(ctx.stream());
  const bool falling = descending(a.order);
  const std::int64_t* numbers = a.positions_out ? numbered(a.n, ctx) : nullptr;
  auto* positions = a.positions_out ? ctx.scratch<std::int64_t>(a.n) : nullptr;
  const auto sort = [&](void* scratch, std::size_t& bytes) {
    if (!positions) {
      return falling ? DeviceRadixSort::SortKeysDescending(scratch, bytes, keys, sorted, a.n, 0,
                                                           sizeof(T) * 8, stream)
                     : DeviceRadixSort::SortKeys(scratch, bytes, keys, sorted, a.n, 0, sizeof(T) * 8, stream);
    }
    return falling ? DeviceRadixSort::SortPairsDescending(scratch, bytes, keys, sorted, numbers, positions,
                                                          a.n, 0, sizeof(T) * 8, stream)
                   : DeviceRadixSort::SortPairs(scratch, bytes, keys, sorted, numbers, positions, a.n, 0,
                                                sizeof(T) * 8, stream);
  };
  // The bytes that it needs depend on whether there are positions, too.
  call_library(ctx, [&] { call_cub(ctx, 2 * a.n + (positions != nullptr), "cub::DeviceRadixSort", sort); });
  take_sorted(a, sorted, positions, ctx);
}

REGISTER(TopK, cub_sort, .note = "cub::DeviceRadixSort of everything", .version = LIBRARY_VERSION("CUB", CUB),
         .loses_digits_on = "special", .deviates = "orders NaNs by their bits: those with a sign come first")

}  // namespace
}  // namespace tandem
