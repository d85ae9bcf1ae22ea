#pragma once
// What calls of CUB share: the two phases of a call, size of the scratch memory and work.

#include <cub/version.cuh>

#include "tandem/device/launch.cuh"

namespace tandem {

/// Runs call(scratch, bytes), which CUB defines so: with a null scratch it only sets the bytes that it needs.
/// Those depend on n alone for a given `call`, so they are asked for once per n, as a careful caller would.
template <class Call>
void call_cub(Context& ctx, std::int64_t n, const char* name, Call call) {
  static thread_local std::int64_t known_n = -1;
  static thread_local std::size_t bytes = 0;
  if (known_n != n) {
    known_n = -1;  // `bytes` belongs to no n until the call succeeds
    check_cuda(call(nullptr, bytes), ctx, name);
    known_n = n;
  }
  check_cuda(call(ctx.scratch<std::byte>(static_cast<std::int64_t>(bytes)), bytes), ctx, name);
}

}  // namespace tandem
