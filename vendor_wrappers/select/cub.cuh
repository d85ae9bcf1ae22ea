#pragma once
// cub::DeviceSelect and cub::DevicePartition, of the CUB that the including file finds. Nothing here is shared between
// files, because they may find different ones.

#include <cub/device/device_select.cuh>

#include "lib/ops/select/contract.h"
#include "vendor_wrappers/common/cub.cuh"

namespace tandem {
namespace {

/// CUB partitions with the others in the opposite order, so a partition is refused.
template <class C>
void cub_select(const typename C::Args& a, Context& ctx) {
  const auto stream = static_cast<cudaStream_t>(ctx.stream());
  for_kind(a.kind, [&]<Select::Kind kKind>() {
    call_cub(ctx, a.n, "cub::DeviceSelect", [&](void* scratch, std::size_t& bytes) {
      if constexpr (kKind == Select::Kind::flags)
        return cub::DeviceSelect::Flagged(scratch, bytes, a.in, a.flags, a.out, a.count, a.n, stream);
      else if constexpr (kKind == Select::Kind::unique)
        return cub::DeviceSelect::Unique(scratch, bytes, a.in, a.out, a.count, a.n, stream);
      else
        return cub::DeviceSelect::If(scratch, bytes, a.in, a.out, a.count, a.n, a.range, stream);
    });
  });
}

inline std::string not_stable(const Select::Shape& shape, CaseId id) {
  if (shape.kind == Select::Kind::partition) return "cub::DevicePartition reverses the order of the others";
  return Select::refuses(shape, id);
}

}  // namespace
}  // namespace tandem
