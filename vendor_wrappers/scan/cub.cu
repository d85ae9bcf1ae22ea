// cub::DeviceScan: the library to beat. One pass with decoupled look-back, after a small kernel that clears
// the descriptors. Inclusive scans always go through InclusiveScanInit: the initial value is a run-time one,
// it costs one application in the first tile, and the kernels need no more registers than without.

#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_scan.cuh>

#include "lib/ops/scan/contract.h"
#include "vendor_wrappers/common/cub.cuh"
#include "vendor_wrappers/scan/library_operator.cuh"

namespace tandem {
namespace {

template <class C>
void cub_scan(const typename C::Args& a, Context& ctx) {
  using Element = typename Library<C>::Element;
  const auto in = [&] {
    if constexpr (C::kLoadsPlain)
      return reinterpret_cast<const Element*>(a.in);
    else
      return thrust::make_transform_iterator(a.in, typename C::Load{});
  }();
  auto* out = reinterpret_cast<Element*>(a.out);
  const auto op = Library<C>::op();
  const auto init = static_cast<Element>(a.init);
  const auto stream = static_cast<cudaStream_t>(ctx.stream());
  call_cub(ctx, a.n, "cub::DeviceScan", [&](void* scratch, std::size_t& bytes) {
    return a.exclusive ? cub::DeviceScan::ExclusiveScan(scratch, bytes, in, out, op, init, a.n, stream)
                       : cub::DeviceScan::InclusiveScanInit(scratch, bytes, in, out, op, init, a.n, stream);
  });
}

// At worst the prefix of each tile is added to the total of the next one, in a chain. Tiles
// hold at least 512 elements.
REGISTER(
    Scan, cub_scan, .note = "cub::DeviceScan", .version = LIBRARY_VERSION("CUB", CUB),
    .depth = [](std::int64_t n) { return static_cast<double>(n) / 512 + 64; }, .repeats = false)

}  // namespace
}  // namespace tandem
