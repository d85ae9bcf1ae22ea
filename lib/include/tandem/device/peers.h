#pragma once
// Memory of several ranks, each on a GPU of its own, into which all of them store: what host and kernels (peers.cuh) know of it.

#include <cstddef>
#include <cstdint>

#include "tandem/operators.h"

namespace tandem {

constexpr int kMostPeers = 16;
constexpr int kMostPeerBlocks = 128;
constexpr int kPeerPhases = 2;  // of a call, after each of which blocks may wait for each other

/// At the beginning of each rank's memory, which is all zeros before the first call.
struct PeerHead {
  std::uint64_t calls;  // begun by this rank
  unsigned come;        // blocks of the running call that know its number
  std::uint64_t lost;   // 1 + a rank that this one waited for in vain; 0: none
  std::uint64_t told[kPeerPhases][kMostPeerBlocks]
                    [kMostPeers];  // the last call of which that block of that rank told it
};
constexpr std::int64_t kPeerHeadBytes = (sizeof(PeerHead) + 255) / 256 * 256;

/// The ranks' memory as one of them sees it.
struct Peers {
  int rank, ranks;
  int blocks;                     // that a launch may have, the same on all ranks
  std::int64_t half;              // bytes of a half of the room behind each head, a multiple of 256
  std::int64_t patience;          // nanoseconds, after which a rank is lost
  std::byte* memory[kMostPeers];  // by rank

  static constexpr std::int64_t bytes(std::int64_t half) { return kPeerHeadBytes + 2 * half; }
  TANDEM_HD PeerHead* head(int r) const { return reinterpret_cast<PeerHead*>(memory[r]); }
};

}  // namespace tandem
