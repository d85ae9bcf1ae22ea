#pragma once
// Device memory that processes of one node share (cudaIpc), in device builds; elsewhere everything throws Unavailable.

#include <array>
#include <cstddef>
#include <vector>

#include "tandem/context.h"

namespace tandem::peer_device {

using Gpu = std::array<std::byte, 16>;     // the same number for the same GPU in every process
using Handle = std::array<std::byte, 64>;  // of memory, for other processes

Gpu gpu(Context& ctx);
/// Memory of the context's GPU, zeroed: words of earlier calls carry their numbers.
std::byte* take(Context& ctx, std::int64_t bytes, Handle& handle);
/// Another process's memory. Throws DeviceError where it is out of reach.
std::byte* open(Context& ctx, const Handle& handle);
/// Waits for the context; closes what was opened, and keeps what was taken for the next take(): others may have it open.
void give_back(Context& ctx, std::byte* taken, std::int64_t bytes,
               const std::vector<std::byte*>& opened) noexcept;

}  // namespace tandem::peer_device
