// cub::DeviceMergeSort, which takes any comparison: here that of the keys' ranks, so that it is compiled for their
// widths alone.

#include <cub/device/device_merge_sort.cuh>

#include "vendor_wrappers/common/cub.cuh"
#include "vendor_wrappers/sort/library_order.h"

namespace tandem {
namespace {

template <class Key, class Value>
void merge_in_place(const Sort::ArgsOf<Key>& a, Context& ctx) {
  const RankLess<Key> less{a.order};
  const auto stream = static_cast<cudaStream_t>(ctx.stream());
  const auto sort = [&](void* scratch, std::size_t& bytes) {
    if constexpr (std::is_same_v<Value, Sort::NoValue>)
      return cub::DeviceMergeSort::StableSortKeys(scratch, bytes, a.keys_out, a.n, less, stream);
    else
      return cub::DeviceMergeSort::StableSortPairs(scratch, bytes, a.keys_out,
                                                   static_cast<Value*>(a.values_out), a.n, less, stream);
  };
  call_library(ctx, [&] { call_cub(ctx, a.n, "cub::DeviceMergeSort", sort); });
}

template <class C>
void cub_merge(const typename C::Args& a, Context& ctx) {
  copy_to_output(a, ctx);
  Sort::with_values(a.value_bytes, [&]<class Value>() { merge_in_place<typename C::Key, Value>(a, ctx); });
}

REGISTER(
    Sort, cub_merge, .note = "cub::DeviceMergeSort", .version = LIBRARY_VERSION("CUB", CUB),
    .suits = [](const Sort::Shape& shape) { return shape.suits_comparisons(32); })

}  // namespace
}  // namespace tandem
