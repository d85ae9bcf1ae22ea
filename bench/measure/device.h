#pragma once
// What measuring asks of a GPU beyond its Backend. In a build without nvcc there is none: all but pci_address()
// throw Unavailable (no_device.cpp).

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "tandem/context.h"
#include "tandem/types.h"

namespace tandem::command {

/// Reads `reads` arrays of `words` words (even), one behind the other, and writes one; unless `writes` it reads
/// one alone, and `to` has two words. `waves`: one wave of blocks that stride over the arrays; else a block for each piece.
void stream_on_device(Context& ctx, int reads, bool writes, bool waves, const std::uint64_t* from,
                      std::uint64_t* to, std::int64_t words);

/// Multiply-adds on registers alone, f32 or f64, `matrices`: on the tensor cores, of f16 and bf16 too. Returns the
/// operations; 0 where the GPU has no such instruction. Unless `run`, that is all it does.
double multiply_add_on_device(Context& ctx, Type type, bool matrices, double* out, bool run);
/// The same for f16 and bf16, whose products whole warpgroups compute from shared memory.
double multiply_tiles_on_device(Context& ctx, Type type, double* out, bool run);

/// A kernel of some 20 µs that touches no memory and does not let the next one start early.
void neutral_kernel(Context& ctx);

/// Memory of the CPU from and to which a device copies by itself.
std::shared_ptr<std::byte[]> pinned_memory(Context& ctx, std::size_t bytes);

/// Whether a grid of `work`, which has run before and does not synchronise, may start before the one before it
/// in the stream has ended (programmatic dependent launch): what is captured from two calls tells, from CUDA 13
/// on.
std::optional<bool> starts_early(Context& ctx, const std::function<void()>& work);

/// Where the GPU of a context is on the bus, "0000:1B:00.0"; empty for a context on the host.
std::string pci_address(const Context& ctx);

/// What a GPU computes with.
struct DeviceFacts {
  std::string cuda;    // version of the CUDA runtime: "13.0"
  std::string driver;  // of the kernel's module, "580.65.06"; empty where the system does not say
};
DeviceFacts device_facts(const Context& ctx);

}  // namespace tandem::command
