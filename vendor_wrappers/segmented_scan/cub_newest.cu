// needs: cccl
// cub::DeviceScan by key of a newer CCCL than the toolkit's.

#include "vendor_wrappers/segmented_scan/cub.cuh"

namespace tandem {
namespace {

template <class C>
void cub_newest(const typename C::Args& a, Context& ctx) {
  cub_scan_by_key<C>(a, ctx);
}

REGISTER(SegmentedScan, cub_newest, .note = "cub::DeviceScan::InclusiveScanByKey of another CCCL",
         .version = LIBRARY_VERSION("CUB", CUB), .refuses = take_keys_alone, .repeats = false)

}  // namespace
}  // namespace tandem
