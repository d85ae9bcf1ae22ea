#pragma once
// One cuSPARSE handle per context, created by the first call.

#include <cusparse.h>

#include <memory>

#include "lib/core/registry.h"
#include "tandem/device/launch.cuh"

namespace tandem {

inline void check(cusparseStatus_t status, const Context& ctx, const char* call) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw DeviceError(std::string(ctx.last().implementation) + ": " + call, status,
                      cusparseGetErrorString(status));
}

inline std::string cusparse_version() {
  return detail::version("cuSPARSE", CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR);
}

/// The handle of the context, on its stream.
inline cusparseHandle_t cusparse(Context& ctx) {
  using Handle = std::shared_ptr<cusparseContext>;
  const cusparseHandle_t handle =
      ctx.keep<Handle>("cusparse",
                       [&] {
                         cusparseHandle_t made = nullptr;
                         check(cusparseCreate(&made), ctx, "cusparseCreate");
                         return Handle(made, [](cusparseHandle_t h) { cusparseDestroy(h); });
                       })
          .get();
  check(cusparseSetStream(handle, static_cast<cudaStream_t>(ctx.stream())), ctx, "cusparseSetStream");
  return handle;
}

}  // namespace tandem
