#pragma once
// A number for what a buffer of a device holds, found there: a test that runs a call 1,000 times need not copy 1,000 results.

#include <cstddef>
#include <cstdint>

#include "tandem/context.h"
#include "tandem/export.h"

namespace tandem::detail {

/// Of `bytes` bytes at `data`, aligned to words of 1, 2, 4 or 8 bytes. Buffers that differ in a bit have digests that differ, but
/// for one pair in 2^64 or so.
TANDEM_API std::uint64_t digest_on_device(Context& ctx, const void* data, std::size_t bytes,
                                          std::size_t word);

}  // namespace tandem::detail
