// cub::DeviceReduce: the library to beat. Two kernels for all but small inputs, no return to the host.

#include "vendor_wrappers/reduce/cub.cuh"

namespace tandem {
namespace {

REGISTER(Reduce, cub_reduce, .note = "cub::DeviceReduce", .version = LIBRARY_VERSION("CUB", CUB))

}  // namespace
}  // namespace tandem
