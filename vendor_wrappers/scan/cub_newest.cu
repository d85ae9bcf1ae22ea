// needs: cccl
// cub::DeviceScan of a newer CCCL than the toolkit's.

#include "vendor_wrappers/scan/cub.cuh"

namespace tandem {
namespace {

template <class C>
void cub_newest(const typename C::Args& a, Context& ctx) {
  cub_scan<C>(a, ctx);
}

// As cub.
REGISTER(
    Scan, cub_newest, .note = "cub::DeviceScan of another CCCL", .version = LIBRARY_VERSION("CUB", CUB),
    .depth = [](std::int64_t n) { return static_cast<double>(n) / 512 + 64; }, .repeats = false)

}  // namespace
}  // namespace tandem
