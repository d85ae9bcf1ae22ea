// cub::DeviceRadixSort: the library to beat. It orders NaNs by their bits, as if they were numbers, and sorts from one
// place to another, so that keys in place are copied first.

#include <cub/device/device_radix_sort.cuh>

#include "vendor_wrappers/common/cub.cuh"
#include "vendor_wrappers/sort/cub_key.cuh"
#include "vendor_wrappers/sort/library_order.h"

namespace tandem {
namespace {

template <class T, class Value, class Key>
cudaError_t call_radix_sort(const Sort::ArgsOf<Key>& a, const T* keys, const Value* values, void* scratch,
                            std::size_t& bytes, cudaStream_t stream) {
  auto* keys_out = reinterpret_cast<T*>(a.keys_out);
  auto* values_out = static_cast<Value*>(a.values_out);
  const int begin = a.order.begin, end = begin + a.order.width;
  using cub::DeviceRadixSort;
  if constexpr (std::is_same_v<Value, Sort::NoValue>) {
    return descending(a.order)
               ? DeviceRadixSort::SortKeysDescending(scratch, bytes, keys, keys_out, a.n, begin, end, stream)
               : DeviceRadixSort::SortKeys(scratch, bytes, keys, keys_out, a.n, begin, end, stream);
  } else {
    return descending(a.order) ? DeviceRadixSort::SortPairsDescending(scratch, bytes, keys, keys_out, values,
                                                                      values_out, a.n, begin, end, stream)
                               : DeviceRadixSort::SortPairs(scratch, bytes, keys, keys_out, values,
                                                            values_out, a.n, begin, end, stream);
  }
}

/// The input, or a copy of it where the output would overwrite it.
template <class T>
const T* elsewhere(Context& ctx, const T* in, const void* out, std::int64_t n) {
  if (in != out || n == 0) return in;
  auto* copy = ctx.scratch<T>(n);
  ctx.copy(copy, in, static_cast<std::size_t>(n) * sizeof(T));
  return copy;
}

template <class C>
void cub_radix(const typename C::Args& a, Context& ctx) {
  using T = cub_key_t<typename C::T>;
  Sort::with_values(a.value_bytes, [&]<class Value>() {
    const T* keys = elsewhere(ctx, reinterpret_cast<const T*>(a.keys), a.keys_out, a.n);
    const auto* values = static_cast<const Value*>(a.values);
    if (a.value_bytes > 0) values = elsewhere(ctx, values, a.values_out, a.n);
    const auto stream = static_cast<cudaStream_t>(ctx.stream());
    const auto sort = [&](void* scratch, std::size_t& bytes) {
      return call_radix_sort<T, Value>(a, keys, values, scratch, bytes, stream);
    };
    // The bytes that it needs depend on the bits, too.
    const std::int64_t size = a.n * (KeyOrder<typename C::Key>::kBits + 1) + a.order.width;
    call_library(ctx, [&] { call_cub(ctx, size, "cub::DeviceRadixSort", sort); });
  });
}

std::string refuses(const Sort::Shape& s, CaseId id) {
  return s.descending && !s.all_bits && is_floating(id.type)
             ? "in descending order it takes bits of 0 for those of -0, which some of the bits show"
             : "";
}

REGISTER(
    Sort, cub_radix, .note = "cub::DeviceRadixSort", .version = LIBRARY_VERSION("CUB", CUB),
    .refuses = refuses, .loses_digits_on = "special",
    .deviates =
        "orders NaNs by their bits: those with a sign come first; in descending order takes bits of 0 for "
        "those of -0")

}  // namespace
}  // namespace tandem
