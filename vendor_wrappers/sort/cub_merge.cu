// cub::DeviceMergeSort, which takes any comparison.

#include <cub/device/device_merge_sort.cuh>

#include "vendor_wrappers/common/cub.cuh"
#include "vendor_wrappers/sort/library_order.h"

namespace tandem {
namespace {

template <class C>
void cub_merge(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  copy_to_output(a, ctx);
  auto* keys = reinterpret_cast<T*>(a.keys_out);
  const auto stream = static_cast<cudaStream_t>(ctx.stream());
  with_less<T>(a.order, [&](auto less) {
    Sort::with_values(a.value_bytes, [&]<class Value>() {
      const auto sort = [&](void* scratch, std::size_t& bytes) {
        if constexpr (std::is_same_v<Value, Sort::NoValue>)
          return cub::DeviceMergeSort::StableSortKeys(scratch, bytes, keys, a.n, less, stream);
        else
          return cub::DeviceMergeSort::StableSortPairs(scratch, bytes, keys,
                                                       static_cast<Value*>(a.values_out), a.n, less, stream);
      };
      call_library(ctx, [&] { call_cub(ctx, a.n, "cub::DeviceMergeSort", sort); });
    });
  });
}

REGISTER(Sort, cub_merge, .note = "cub::DeviceMergeSort", .version = LIBRARY_VERSION("CUB", CUB))

}  // namespace
}  // namespace tandem
