#pragma once
// Mbarriers and bulk copies on the executor, for tandem/device/bulk_copies.cuh and cluster.cuh. To arrive publishes what the
// thread did before, to have waited makes it known.

#include "lib/simt/executor.h"

namespace tandem::simt {

/// An mbarrier is a word of shared memory.
TANDEM_API void mbarrier_init(std::uint64_t* word, unsigned arrivals, Site site);
/// Arrives; the phase does not end before `bytes` more have come.
TANDEM_API void mbarrier_arrive(std::uint64_t* word, unsigned bytes, Site site);
/// `bytes` have come, perhaps before they were expected.
TANDEM_API void mbarrier_complete(std::uint64_t* word, unsigned bytes, Site site);
/// Waits while the running phase is of this parity.
TANDEM_API void mbarrier_wait(std::uint64_t* word, unsigned parity, Site site);

/// Copies at once, one access on either side. Stops the kernel unless addresses and size are multiples of 16 bytes.
TANDEM_API void bulk_copy(void* to, const void* from, unsigned bytes, Site site);

/// Writes a value where block `rank` of the cluster has what this one has at `own`; that block's barrier counts the bytes.
TANDEM_API void store_in_block(unsigned rank, void* own, const void* value, unsigned bytes,
                               std::uint64_t* own_word, Site site);

}  // namespace tandem::simt
