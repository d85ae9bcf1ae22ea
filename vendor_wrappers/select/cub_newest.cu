// needs: cccl
// cub::DeviceSelect of a newer CCCL than the toolkit's.
// Limits:  no partition: cub::DevicePartition puts the others in the opposite order.

#include "vendor_wrappers/select/cub.cuh"

namespace tandem {
namespace {

template <class C>
void cub_newest(const typename C::Args& a, Context& ctx) {
  cub_select<C>(a, ctx);
}

REGISTER(Select, cub_newest, .note = "cub::DeviceSelect of another CCCL",
         .version = LIBRARY_VERSION("CUB", CUB), .refuses = not_stable)

}  // namespace
}  // namespace tandem
