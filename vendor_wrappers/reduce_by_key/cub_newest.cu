// needs: cccl
// cub::DeviceReduce::ReduceByKey of a newer CCCL than the toolkit's.

#include "vendor_wrappers/reduce_by_key/cub.cuh"

namespace tandem {
namespace {

template <class C>
void cub_newest(const typename C::Args& a, Context& ctx) {
  cub_reduce_by_key<C>(a, ctx);
}

REGISTER(ReduceByKey, cub_newest, .note = "cub::DeviceReduce::ReduceByKey of another CCCL",
         .version = LIBRARY_VERSION("CUB", CUB), .loses_digits_on = "signed_zeros", .repeats = false,
         .deviates = "writes +0 or -0 as the key of a run that holds both")

}  // namespace
}  // namespace tandem
