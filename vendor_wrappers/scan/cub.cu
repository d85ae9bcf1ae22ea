// cub::DeviceScan: the library to beat. One pass with decoupled look-back, after a small kernel that clears
// the descriptors. Inclusive scans always go through InclusiveScanInit: the initial value is a run-time one,
// it costs one application in the first tile, and the kernels need no more registers than without.

#include "vendor_wrappers/scan/cub.cuh"

namespace tandem {
namespace {

// At worst the prefix of each tile is added to the total of the next one, in a chain. Tiles
// hold at least 512 elements.
REGISTER(
    Scan, cub_scan, .note = "cub::DeviceScan", .version = LIBRARY_VERSION("CUB", CUB),
    .depth = [](std::int64_t n) { return static_cast<double>(n) / 512 + 64; }, .repeats = false)

}  // namespace
}  // namespace tandem
