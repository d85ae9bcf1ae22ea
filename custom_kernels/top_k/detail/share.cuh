#pragma once
// The share of the input that a persistent block has, and the list of what it keeps of it.

#include "custom_kernels/top_k/detail/known.cuh"
#include "custom_kernels/top_k/detail/sum_before.cuh"
#include "tandem/device/packs.cuh"

namespace tandem {

constexpr int kShareThreads = 256, kSharesAtOnce = 2;  // on a multiprocessor
constexpr int kShareDigitBits = 11, kShareDigits = 1 << kShareDigitBits;

/// Counts of digits in shared memory: after every 32 of them is a gap, so that lanes which read runs of eight meet no bank
/// conflict.
constexpr int kDigitTable = kShareDigits + kShareDigits / kWarp;
__device__ inline int slot(unsigned digit) { return int(digit + digit / kWarp); }

/// Counts digits in such a table; a thread adds neighbours that have the same one at once.
struct DigitCounts {
  Shared<unsigned, kDigitTable>& counts;
  unsigned digit = 0, length = 0;
  __device__ void add(unsigned next) {
    if (next != digit) flush();
    digit = next;
    ++length;
  }
  __device__ void flush() {
    if (length > 0) atomicAdd(&counts[slot(digit)], length);
    length = 0;
  }
};

/// Where shares lie: each is some whole tiles, which begin where packs of the input are aligned, the first one `shift`
/// keys before the input. A block's list has room for `room` codes.
template <class Key>
struct Shares {
  static constexpr int kPack = Pack<Key>::kSize;
  static constexpr int kRows =
      kPack < 4 ? 8 : 32 / kPack;  // of a thread: packs on their way at once, a bit for each key
  static constexpr int kTile = kShareThreads * kRows * kPack;

  const Key* in;
  std::int64_t n;
  int shift;
  std::int64_t blocks = 0, room = 0;
  Key* codes = nullptr;              // of all blocks' lists
  std::uint32_t* offsets = nullptr;  // from the begin of the share

  __host__ __device__ std::int64_t begin(std::int64_t block) const {
    const std::int64_t tiles = ceil_div(n + shift, kTile), at = tiles * block / blocks * kTile - shift;
    return at < 0 ? 0 : at < n ? at : n;
  }
};

template <class Key, bool kFloating>
struct Share {
  using Shares = tandem::Shares<Key>;
  static constexpr int kRows = Shares::kRows, kPack = Shares::kPack, kTile = Shares::kTile;
  static constexpr int kThreads = kShareThreads;

  const Shares shares;
  const KeyOrder<Key> order;
  const std::int64_t begin = shares.begin(blockIdx.x), end = shares.begin(blockIdx.x + 1);
  std::int64_t listed = -1;  // codes in the list; −1: what the share holds is read from the input

  __device__ Key code(Key key) const { return order.template code_of<kFloating>(key); }
  /// Of the list.
  __device__ Key& code_at(std::int64_t i) const { return shares.codes[blockIdx.x * shares.room + i]; }
  __device__ std::uint32_t& offset_at(std::int64_t i) const {
    return shares.offsets[blockIdx.x * shares.room + i];
  }

  /// Called by the block: the list becomes what may be among the first k, in its order. Returns how many these are; where
  /// they have no room, the list is not used.
  __device__ std::int64_t filter(const Known<Key>& known) {
    std::int64_t count = 0;
    const int place = (threadIdx.x / kWarp * kRows * kWarp + threadIdx.x % kWarp) * kPack;
    // Tiles begin where packs are aligned, so the first may begin before the input.
    for (std::int64_t first = begin == 0 ? -shares.shift : begin; first < end; first += kTile) {
      const Key* const tile = shares.in + first;
      Pack<Key> keys[kRows];
      unsigned bits = 0;
      if (first >= 0 && first + kTile <= end) {
#pragma unroll
        for (int r = 0; r < kRows; ++r)
          keys[r] = *reinterpret_cast<const Pack<Key>*>(tile + place + r * kWarp * kPack);
        bits = ~0u >> (32 - kRows * kPack);
      } else {
        const int from = first < 0 ? int(-first) : 0, to = int(min(end - first, std::int64_t{kTile}));
#pragma unroll
        for (int i = 0; i < kRows * kPack; ++i) {
          const int at = place + step(i);
          const bool inside = at >= from && at < to;
          keys[i / kPack].values[i % kPack] = inside ? tile[at] : Key(0);
          bits |= unsigned(inside) << i;
        }
      }
#pragma unroll
      for (int i = 0; i < kRows * kPack; ++i) {
        Key& key = keys[i / kPack].values[i % kPack];
        key = code(key);
        if ((key & known.mask) > known.bits) bits &= ~(1u << i);
      }
      if (!__syncthreads_or(bits != 0)) continue;
      count += append(bits, keys, count, std::uint32_t(first - begin + place));
    }
    listed = count <= shares.room ? count : -1;
    __syncthreads();
    return count;
  }

  /// Called by the block: the digits of what agrees with what is known.
  __device__ void count(const Known<Key>& known, Shared<unsigned, kDigitTable>& counts) const {
    const NextDigit<kShareDigitBits, Key> digit(known.mask);
    DigitCounts own{counts};
    const auto add = [&](Key of_key) {
      if (known.agrees(of_key)) own.add(digit(of_key));
    };
    if (listed >= 0) {
      for (std::int64_t i = threadIdx.x; i < listed; i += kThreads) add(code_at(i));
    } else {
      for_each_packed<kThreads>(shares.in + begin, end - begin, 0, 1, [&](Key key) { add(code(key)); });
    }
    own.flush();
  }

  /// Called by the block: write(place, position) for what comes before the k-th code and for the first known.need that
  /// agree with it, in the order of their positions. In earlier shares are `before` of the ones and `equal` of the others.
  template <class Write>
  __device__ void take(const Known<Key>& known, std::int64_t before, std::int64_t equal, Write write) const {
    constexpr int kEach = 4, kStep = kThreads * kEach, kShift = 16;  // keys of a thread at once
    static_assert(kStep < 1 << kShift);
    const std::int64_t count = listed >= 0 ? listed : end - begin;
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    const unsigned below = (1u << lane) - 1;
    for (std::int64_t first = 0; first < count; first += kStep) {
      const std::int64_t at = first + warp * kEach * kWarp + lane;
      unsigned befores[kEach], equals[kEach], in_warp = 0;
#pragma unroll
      for (int r = 0; r < kEach; ++r) {
        const std::int64_t i = at + r * kWarp;
        const Key own = i >= count ? Key(0) : listed >= 0 ? code_at(i) : code(shares.in[begin + i]);
        befores[r] = __ballot_sync(kAllLanes, i < count && known.is_before(own));
        equals[r] = __ballot_sync(kAllLanes, i < count && known.agrees(own));
        in_warp += unsigned(__popc(befores[r])) + (unsigned(__popc(equals[r])) << kShift);
      }
      unsigned total;
      const unsigned earlier = sum_before<kThreads>(lane == kWarp - 1 ? in_warp : 0u, total);
      constexpr unsigned kLow = (1u << kShift) - 1;
      std::int64_t firsts = before + (earlier & kLow), sames = equal + (earlier >> kShift);
#pragma unroll
      for (int r = 0; r < kEach; ++r) {
        const std::int64_t of_firsts = firsts + __popc(befores[r] & below);
        const std::int64_t of_sames = sames + __popc(equals[r] & below);
        const bool agrees = equals[r] >> lane & 1;
        if ((befores[r] >> lane & 1) || (agrees && of_sames < known.need)) {
          const std::int64_t i = at + r * kWarp;
          write(of_firsts + min(of_sames, known.need),
                begin + (listed >= 0 ? std::int64_t(offset_at(i)) : i));
        }
        firsts += __popc(befores[r]);
        sames += __popc(equals[r]);
      }
      before += total & kLow;
      equal += total >> kShift;
    }
  }

 private:
  /// From a thread's first key of a tile to its key i.
  __device__ static constexpr int step(int i) { return i / kPack * kWarp * kPack + i % kPack; }

  /// Called by the block: those of the thread's codes whose bits are set go behind the `count` that are listed. `offset`: of
  /// the first of them. Returns how many go there in all.
  __device__ int append(unsigned bits, const Pack<Key> (&keys)[kRows], std::int64_t count,
                        std::uint32_t offset) const {
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
    if (count + total > shares.room) return total;  // the list is lost
    const std::int64_t to = blockIdx.x * shares.room + count + earlier;
    Key* const codes = shares.codes + to;
    std::uint32_t* const offsets = shares.offsets + to;
#pragma unroll
    for (int i = 0; i < kRows * kPack; ++i) {
      if ((bits >> i & 1) == 0) continue;
      const int at = before[i / kPack]++;
      codes[at] = keys[i / kPack].values[i % kPack];
      offsets[at] = offset + std::uint32_t(step(i));
    }
    return total;
  }
};

}  // namespace tandem
