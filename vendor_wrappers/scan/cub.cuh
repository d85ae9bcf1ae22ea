#pragma once
// cub::DeviceScan, of the CUB that the including file finds. Nothing here is shared between files, because they
// may find different ones.

#include <cub/device/device_scan.cuh>

#include "lib/ops/scan/contract.h"
#include "vendor_wrappers/common/cub.cuh"
#include "vendor_wrappers/scan/library_operator.cuh"

namespace tandem {
namespace {

template <class C>
void cub_scan(const typename C::Args& a, Context& ctx) {
  using Element = typename Library<C>::Element;
  const auto in = Library<C>::in(a.in);
  const auto out = Library<C>::out(a.out);
  const auto op = Library<C>::op();
  const auto init = static_cast<Element>(a.init);
  const auto stream = static_cast<cudaStream_t>(ctx.stream());
  call_cub(ctx, a.n, "cub::DeviceScan", [&](void* scratch, std::size_t& bytes) {
    return a.exclusive ? cub::DeviceScan::ExclusiveScan(scratch, bytes, in, out, op, init, a.n, stream)
                       : cub::DeviceScan::InclusiveScanInit(scratch, bytes, in, out, op, init, a.n, stream);
  });
}

}  // namespace
}  // namespace tandem
