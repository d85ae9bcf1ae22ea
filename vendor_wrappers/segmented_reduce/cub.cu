// cub::DeviceSegmentedReduce: the library to beat. A block for each segment.

#include "vendor_wrappers/segmented_reduce/cub.cuh"

namespace tandem {
namespace {

REGISTER(SegmentedReduce, cub_segmented_reduce, .note = "cub::DeviceSegmentedReduce",
         .version = LIBRARY_VERSION("CUB", CUB))

}  // namespace
}  // namespace tandem
