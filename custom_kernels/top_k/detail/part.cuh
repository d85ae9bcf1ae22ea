#pragma once
// The part of the input that a persistent block has, and the list of what it keeps of it.

#include "custom_kernels/top_k/detail/known.cuh"
#include "custom_kernels/top_k/detail/sum_before.cuh"
#include "tandem/device/packs.cuh"

namespace tandem {

constexpr int kPartThreads = 512, kPartDigitBits = 11, kPartDigits = 1 << kPartDigitBits;

/// Counts digits in shared memory; a thread adds neighbours that have the same one at once.
struct DigitCounts {
  Shared<unsigned, kPartDigits>& counts;
  unsigned digit = 0, length = 0;
  __device__ void add(unsigned next) {
    if (next != digit) flush();
    digit = next;
    ++length;
  }
  __device__ void flush() {
    if (length > 0) atomicAdd(&counts[digit], length);
    length = 0;
  }
};

/// Where parts lie: each is some whole tiles, which begin where packs of the input are aligned, the first one `shift`
/// keys before the input. A block's list has room for `room` codes.
template <class Key>
struct Parts {
  static constexpr int kRows = 4, kPack = Pack<Key>::kSize;  // of a thread: packs on their way at once
  static constexpr int kTile = kPartThreads * kRows * kPack;

  const Key* in;
  std::int64_t n;
  int shift;
  std::int64_t blocks, room;
  Key* codes;              // of all blocks' lists
  std::uint32_t* offsets;  // from the begin of the part

  __host__ __device__ std::int64_t begin(std::int64_t block) const {
    const std::int64_t tiles = ceil_div(n + shift, kTile), at = tiles * block / blocks * kTile - shift;
    return at < 0 ? 0 : at < n ? at : n;
  }
};

template <class Key, bool kFloating>
struct Part {
  using Parts = tandem::Parts<Key>;
  static constexpr int kRows = Parts::kRows, kPack = Parts::kPack, kTile = Parts::kTile;
  static constexpr int kThreads = kPartThreads;

  const Parts parts;
  const KeyOrder<Key> order;
  const std::int64_t begin = parts.begin(blockIdx.x), end = parts.begin(blockIdx.x + 1);
  Key* const codes = parts.codes + blockIdx.x * parts.room;
  std::uint32_t* const offsets = parts.offsets + blockIdx.x * parts.room;
  std::int64_t listed = -1;  // codes in the list; −1: what the part holds is read from the input

  __device__ Key code(Key key) const { return code_of<kFloating>(key, order); }

  /// Called by the block: the list becomes what may be among the first k, in its order. Returns how many these are; where
  /// they have no room, the list is not used.
  __device__ std::int64_t filter(const Known<Key>& known) {
    std::int64_t count = 0;
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    const int place = (warp * kRows * kWarp + lane) * kPack;
    // Tiles begin where packs are aligned, so the first may begin before the input.
    const std::int64_t from = begin == 0 ? -parts.shift : begin;
    for (std::int64_t first = from; first < end; first += kTile) {
      const std::int64_t at = first + place;
      const auto inside = [&](std::int64_t i) { return i >= 0 && i < end; };
      Pack<Key> keys[kRows];
      unsigned bits = 0;
      if (first >= 0 && first + kTile <= end) {
#pragma unroll
        for (int r = 0; r < kRows; ++r)
          keys[r] = *reinterpret_cast<const Pack<Key>*>(parts.in + at + r * kWarp * kPack);
        bits = (1u << (kRows * kPack)) - 1;
      } else {
#pragma unroll
        for (int i = 0; i < kRows * kPack; ++i) {
          const std::int64_t of_key = at + i / kPack * kWarp * kPack + i % kPack;
          keys[i / kPack].values[i % kPack] = inside(of_key) ? parts.in[of_key] : Key(0);
          bits |= unsigned(inside(of_key)) << i;
        }
      }
#pragma unroll
      for (int i = 0; i < kRows * kPack; ++i) {
        Key& key = keys[i / kPack].values[i % kPack];
        key = code(key);
        if (!known.is_before(key) && !known.agrees(key)) bits &= ~(1u << i);
      }
      if (!__syncthreads_or(bits != 0)) continue;
      count += append(bits, keys, count, first - begin + place);
    }
    listed = count <= parts.room ? count : -1;
    __syncthreads();
    return count;
  }

  /// Called by the block: the digits of what agrees with what is known.
  __device__ void count(const Known<Key>& known, Shared<unsigned, kPartDigits>& counts) const {
    const NextDigit<kPartDigitBits, Key> digit(known.mask);
    DigitCounts own{counts};
    const auto add = [&](Key of_key) {
      if (known.agrees(of_key)) own.add(digit(of_key));
    };
    if (listed >= 0) {
      for (std::int64_t i = threadIdx.x; i < listed; i += kThreads) add(codes[i]);
    } else {
      for_each_packed<kThreads>(parts.in + begin, end - begin, 0, 1, [&](Key key) { add(code(key)); });
    }
    own.flush();
  }

  /// Called by the block: write(place, position) for what comes before the k-th code and for the first known.need that
  /// agree with it, in the order of their positions. In earlier parts are `before` of the ones and `equal` of the others.
  template <class Write>
  __device__ void take(const Known<Key>& known, std::int64_t before, std::int64_t equal, Write write) const {
    constexpr int kStep = kThreads * kRows, kShift = 16;
    static_assert(kStep < 1 << kShift);
    const std::int64_t count = listed >= 0 ? listed : end - begin;
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    const unsigned below = (1u << lane) - 1;
    for (std::int64_t first = 0; first < count; first += kStep) {
      const std::int64_t at = first + warp * kRows * kWarp + lane;
      unsigned befores[kRows], equals[kRows], in_warp = 0;
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        const std::int64_t i = at + r * kWarp;
        const Key own = i >= count ? Key(0) : listed >= 0 ? codes[i] : code(parts.in[begin + i]);
        befores[r] = __ballot_sync(kAllLanes, i < count && known.is_before(own));
        equals[r] = __ballot_sync(kAllLanes, i < count && known.agrees(own));
        in_warp += unsigned(__popc(befores[r])) + (unsigned(__popc(equals[r])) << kShift);
      }
      unsigned total;
      const unsigned earlier = sum_before<kThreads>(lane == kWarp - 1 ? in_warp : 0u, total);
      constexpr unsigned kLow = (1u << kShift) - 1;
      std::int64_t firsts = before + (earlier & kLow), sames = equal + (earlier >> kShift);
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        const std::int64_t of_firsts = firsts + __popc(befores[r] & below);
        const std::int64_t of_sames = sames + __popc(equals[r] & below);
        const bool agrees = equals[r] >> lane & 1;
        if ((befores[r] >> lane & 1) || (agrees && of_sames < known.need)) {
          const std::int64_t i = at + r * kWarp;
          write(of_firsts + min(of_sames, known.need), begin + (listed >= 0 ? std::int64_t(offsets[i]) : i));
        }
        firsts += __popc(befores[r]);
        sames += __popc(equals[r]);
      }
      before += total & kLow;
      equal += total >> kShift;
    }
  }

 private:
  /// Called by the block: those of the thread's codes whose bits are set go behind the `count` that are listed. `offset`: of
  /// the first of them. Returns how many go there in all.
  __device__ int append(unsigned bits, const Pack<Key> (&keys)[kRows], std::int64_t count,
                        std::int64_t offset) {
    const auto in_pack = [bits](int r) { return __popc(bits >> (r * kPack) & ((1u << kPack) - 1)); };
    int before[kRows], in_warp = 0;
#pragma unroll
    for (int r = 0; r < kRows; ++r) before[r] = in_pack(r);
    warp_inclusive_scans<Plus>(before);
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const int in_row = shuffle(before[r], kWarp - 1);
      before[r] += in_warp - in_pack(r);
      in_warp += in_row;
    }
    int total;
    const int earlier = sum_before<kThreads>(threadIdx.x % kWarp == kWarp - 1 ? in_warp : 0, total);
#pragma unroll
    for (int i = 0; i < kRows * kPack; ++i) {
      if ((bits >> i & 1) == 0) continue;
      const std::int64_t to = count + earlier + before[i / kPack]++;
      if (to >= parts.room) continue;
      codes[to] = keys[i / kPack].values[i % kPack];
      offsets[to] = std::uint32_t(offset + i / kPack * kWarp * kPack + i % kPack);
    }
    return total;
  }
};

}  // namespace tandem
