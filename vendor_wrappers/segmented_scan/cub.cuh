#pragma once
// cub::DeviceScan by key, of the CUB that the including file finds. Nothing here is shared between files, because they may
// find different ones.

#include <cub/device/device_scan.cuh>

#include "vendor_wrappers/common/cub.cuh"
#include "vendor_wrappers/segmented_scan/operands.h"
#include "vendor_wrappers/segmented_scan/rivals.h"

namespace tandem {
namespace {

template <class C>
void cub_scan_by_key(const typename C::Args& a, Context& ctx) {
  if constexpr (kNamed<C>) {
    const auto stream = static_cast<cudaStream_t>(ctx.stream());
    const auto in = operands<C>(a.in);
    const auto out = results<C>(a.out);
    with_keys(a.segments.keys, [&]<class Word>(const Keys<Word>& keys) {
      const Word* const data = keys.data;
      const SameKey<Word> same{keys.floating};
      call_cub(ctx, a.segments.n, "cub::DeviceScan by key", [&](void* scratch, std::size_t& bytes) {
        const typename C::Op op;
        return a.exclusive ? cub::DeviceScan::ExclusiveScanByKey(scratch, bytes, data, in, out, op, a.init,
                                                                 a.segments.n, same, stream)
                           : cub::DeviceScan::InclusiveScanByKey(scratch, bytes, data, in, out, op,
                                                                 a.segments.n, same, stream);
      });
    });
  }
}

}  // namespace
}  // namespace tandem
