// needs: cccl
// cub::DeviceSegmentedReduce of a newer CCCL than the toolkit's.

#include "vendor_wrappers/segmented_reduce/cub.cuh"

namespace tandem {
namespace {

template <class C>
void cub_newest(const typename C::Args& a, Context& ctx) {
  cub_segmented_reduce<C>(a, ctx);
}

REGISTER(SegmentedReduce, cub_newest, .note = "cub::DeviceSegmentedReduce of another CCCL",
         .version = LIBRARY_VERSION("CUB", CUB))

}  // namespace
}  // namespace tandem
