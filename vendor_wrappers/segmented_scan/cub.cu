// cub::DeviceScan::InclusiveScanByKey and ExclusiveScanByKey: the library to beat. Also one pass with look-back, of pairs.

#include "vendor_wrappers/segmented_scan/cub.cuh"

namespace tandem {
namespace {

REGISTER(SegmentedScan, cub_scan_by_key, .note = "cub::DeviceScan::InclusiveScanByKey",
         .version = LIBRARY_VERSION("CUB", CUB), .refuses = take_keys_alone, .repeats = false)

}  // namespace
}  // namespace tandem
