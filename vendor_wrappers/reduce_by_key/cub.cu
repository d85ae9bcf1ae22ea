// cub::DeviceReduce::ReduceByKey: the library to beat. Also one pass with look-back, of counts and values.

#include "vendor_wrappers/reduce_by_key/cub.cuh"

namespace tandem {
namespace {

REGISTER(ReduceByKey, cub_reduce_by_key, .note = "cub::DeviceReduce::ReduceByKey",
         .version = LIBRARY_VERSION("CUB", CUB), .loses_digits_on = "signed_zeros", .repeats = false,
         .deviates = "writes +0 or -0 as the key of a run that holds both")

}  // namespace
}  // namespace tandem
