// cub::DeviceSelect: the library to beat. One pass with decoupled look-back, after a small kernel that clears the
// descriptors.
// Limits:  no partition: cub::DevicePartition puts the others in the opposite order.

#include "vendor_wrappers/select/cub.cuh"

namespace tandem {
namespace {

REGISTER(Select, cub_select, .note = "cub::DeviceSelect", .version = LIBRARY_VERSION("CUB", CUB),
         .refuses = not_stable)

}  // namespace
}  // namespace tandem
