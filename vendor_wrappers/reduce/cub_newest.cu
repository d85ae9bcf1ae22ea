// needs: cccl
// cub::DeviceReduce of a newer CCCL than the toolkit's.

#include "vendor_wrappers/reduce/cub.cuh"

namespace tandem {
namespace {

template <class C>
void cub_newest(const typename C::Args& a, Context& ctx) {
  cub_reduce<C>(a, ctx);
}

REGISTER(Reduce, cub_newest, .note = "cub::DeviceReduce of another CCCL",
         .version = LIBRARY_VERSION("CUB", CUB))

}  // namespace
}  // namespace tandem
