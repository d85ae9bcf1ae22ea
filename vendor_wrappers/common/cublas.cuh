#pragma once
// One cuBLAS handle per context, created by the first call.

#include <cublas_v2.h>

#include <memory>

#include "lib/core/registry.h"
#include "tandem/device/launch.cuh"

namespace tandem {

inline void check(cublasStatus_t status, const Context& ctx, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw DeviceError(std::string(ctx.last().implementation) + ": " + call, status,
                      cublasGetStatusString(status));
}

inline std::string cublas_version() { return detail::version("cuBLAS", CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR); }

/// The handle of the context, on its stream, in this math mode. Its workspace comes from the context, so
/// that calls allocate nothing.
inline cublasHandle_t cublas(Context& ctx, cublasMath_t mode) {
  constexpr std::int64_t kWorkspace = 32 << 20;  // bytes, as the library recommends for Hopper
  using Handle = std::shared_ptr<cublasContext>;
  const cublasHandle_t handle =
      ctx.keep<Handle>("cublas",
                       [&] {
                         cublasHandle_t made = nullptr;
                         check(cublasCreate(&made), ctx, "cublasCreate");
                         return Handle(made, [](cublasHandle_t h) { cublasDestroy(h); });
                       })
          .get();
  check(cublasSetStream(handle, static_cast<cudaStream_t>(ctx.stream())), ctx, "cublasSetStream");
  check(cublasSetWorkspace(handle, ctx.state<std::byte>("cublas workspace", kWorkspace), kWorkspace), ctx,
        "cublasSetWorkspace");
  check(cublasSetMathMode(handle, mode), ctx, "cublasSetMathMode");
  return handle;
}

}  // namespace tandem
