#pragma once
// Decoupled look-back (Merrill, Garland 2016): blocks that each know the total of their tile tell each other
// what lies before them, within one launch. A tile first publishes its total, then, once known, its inclusive
// prefix; a later tile looks back over totals until it meets a prefix. Descriptors are made of 64-bit words
// {32 bits of value, tag}: a word is written in one piece, so value and state arrive together without fences;
// the tag carries the number of the call (epoch), so that nothing needs clearing between calls. Blocks must
// start in the order of their tiles.

#include "tandem/device/launch.cuh"
#include "tandem/device/vector_access.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {

/// What the calls of one context share. Zeroed once, then kept by the kernels themselves.
struct Epochs {
  unsigned epoch;  // number of calls finished
  unsigned done;   // blocks of the running call that have finished

  /// The number of the running call, 1 … 2^31 − 1, so that its tags fit.
  __device__ unsigned running() const { return epoch % 0x7fffffffu + 1; }
  /// Called by one thread of each block at its end: the last block opens the next epoch.
  __device__ void finish_block(unsigned running) {
    if (atomicInc(&done, gridDim.x - 1) == gridDim.x - 1) epoch = running;
  }
};

/// A tile's descriptor: T cut into 32-bit pieces, each beside a tag = 2 × epoch + (1 if the value is a
/// prefix).
template <class T>
struct Descriptor {
  static constexpr int kWords = (sizeof(T) + 3) / 4;
  std::uint64_t words[kWords];

  __device__ void publish(T value, unsigned tag) {
    std::uint32_t pieces[kWords];
    memcpy(pieces, &value, sizeof value);
#pragma unroll
    for (int k = 0; k < kWords; ++k) store_relaxed(&words[k], std::uint64_t(tag) << 32 | pieces[k]);
  }
  /// What the words are now.
  __device__ Descriptor seen() const {
    Descriptor copy;
#pragma unroll
    for (int k = 0; k < kWords; ++k) copy.words[k] = load_relaxed(&words[k]);
    return copy;
  }
  /// Of a copy: false when its words are of an earlier call or of two different publications.
  __device__ bool holds(unsigned epoch, T& value, bool& is_prefix) const {
    std::uint32_t pieces[kWords];
    unsigned tags[kWords];
    bool whole = true;
#pragma unroll
    for (int k = 0; k < kWords; ++k) {
      pieces[k] = std::uint32_t(words[k]);
      tags[k] = unsigned(words[k] >> 32);
      whole &= tags[k] == tags[0];
    }
    memcpy(&value, pieces, sizeof value);
    is_prefix = tags[0] & 1;
    return whole && tags[0] / 2 == epoch;
  }
  __device__ bool read(unsigned epoch, T& value, bool& is_prefix) const {
    return seen().holds(epoch, value, is_prefix);
  }
};

/// Warp-wide: op over all tiles before `tile`. Lane l reads the descriptor of tile `end` − 31 + l.
template <class Op, class T>
__device__ T look_back(const Descriptor<T>* descriptors, std::int64_t tile, unsigned epoch, Op op = {}) {
  const int lane = threadIdx.x % kWarp;
  T prefix = op.template identity<T>();
  for (std::int64_t end = tile - 1;; end -= kWarp) {
    const std::int64_t mine = end - (kWarp - 1) + lane;
    T value = op.template identity<T>();
    bool is_prefix = false;
    if (mine >= 0) spin_until([&] { return descriptors[mine].read(epoch, value, is_prefix); });
    const unsigned prefixes = __ballot_sync(kAllLanes, is_prefix);
    const int nearest = kWarp - 1 - __clz(int(prefixes));  // -1 when there is none among these
    if (lane < nearest) value = op.template identity<T>();
    prefix = op(shuffle(warp_reduce(value, op), 0), prefix);
    if (prefixes) return prefix;
  }
}

/// Warp-wide: what lies before `tile`, whose own total is `total`; `init` lies before tile 0. Publishes the
/// total, looks back, and publishes the inclusive prefix, at which the look-back of later tiles ends.
template <class Op, class T>
__device__ T publish_and_look_back(Descriptor<T>* descriptors, std::int64_t tile, unsigned epoch, T total,
                                   T init = Op::template identity<T>(), Op op = {}) {
  const bool first_lane = threadIdx.x % kWarp == 0;
  T prefix = init;
  if (tile > 0) {
    if (first_lane) descriptors[tile].publish(total, 2 * epoch);
    prefix = look_back(descriptors, tile, epoch, op);
  }
  if (first_lane) descriptors[tile].publish(op(prefix, total), 2 * epoch + 1);
  return prefix;
}

// Epochs and descriptors lie in one piece of a context's state.
constexpr std::int64_t kEpochBytes = 16;
template <class T>
std::int64_t lookback_bytes(std::int64_t tiles) {
  return kEpochBytes + tiles * std::int64_t{sizeof(Descriptor<T>)};
}
template <class T>
Descriptor<T>* descriptors_in(std::byte* memory) {
  return reinterpret_cast<Descriptor<T>*>(memory + kEpochBytes);
}

}  // namespace tandem
