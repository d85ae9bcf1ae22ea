#pragma once
// A cuBLAS handle for each context, made by its first call.

#include <cublas_v2.h>

#include "tandem/device/launch.cuh"

namespace tandem {

inline void check(cublasStatus_t status, const Context& ctx, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw DeviceError(std::string(ctx.last().implementation) + ": " + call, status,
                      cublasGetStatusString(status));
}

inline std::string cublas_version() { return detail::version("cuBLAS", CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR); }

/// The context's handle, on its stream, in this mode. Its workspace is the context's, so that calls allocate
/// nothing.
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
