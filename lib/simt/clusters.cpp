#include "lib/simt/clusters.h"

namespace tandem::simt {

Clusters::Clusters(std::uint64_t first, unsigned blocks, unsigned size, unsigned threads_per_block)
    : first_(first), size_(size), shared_(blocks), barriers_(blocks / size, {size * threads_per_block}) {}

void Clusters::Barrier::end_phase_if_all_arrived() {
  if (arrived < threads) return;
  arrived = 0;
  ++phase;
}
std::uint32_t Clusters::arrive(std::uint64_t block) {
  Barrier& at = barrier(block);
  const std::uint32_t phase = at.phase;
  ++at.arrived;
  at.end_phase_if_all_arrived();
  return phase;
}
void Clusters::leave(std::uint64_t block, bool arrived) {
  Barrier& at = barrier(block);
  --at.threads;
  at.arrived -= arrived;
  at.end_phase_if_all_arrived();
}

}  // namespace tandem::simt
