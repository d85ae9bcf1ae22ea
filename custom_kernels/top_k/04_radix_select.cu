// Idea:    nobody needs the order of the other n − k keys. Count how many keys have each value of their highest digit: the
//          counts say which value the k-th key has. Then count the next digit of the keys that agree in this one, until
//          all digits of the k-th code are known. Keys with a smaller code are taken, and of those with the same code as
//          many as are still needed, the first ones. The k of them are then sorted.
// New:     against sort_all, nothing is moved but what is wanted, and only that is sorted.
// Expect:  for each digit of eight bits a read of all keys, and two for the keys that are taken: six reads of keys of four
//          bytes, where a sort has nine trips and a position beside each key.
// Limits:  fewer than 2^32 keys; two launches for a digit; one block scans the counts of all tiles of 512 keys.
// Source:  Alabi, Blanchard, Gordon, Steinbach 2012, "Fast k-selection algorithms for graphics processing units".

#include "custom_kernels/sort/detail/scan_counts.cuh"
#include "custom_kernels/top_k/detail/known.cuh"
#include "custom_kernels/top_k/detail/last_sort.h"
#include "custom_kernels/top_k/detail/sum_before.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 512;  // keys of a tile
constexpr int kDigitBits = 8, kDigits = 1 << kDigitBits;

template <class Key>
__global__ void know_nothing(Known<Key>* known, std::uint64_t* counts, std::int64_t k) {
  counts[threadIdx.x] = 0;
  if (threadIdx.x == 0) *known = Known<Key>::nothing(k);
}

template <class Key, bool kFloating>
__global__ void count_digits(const Key* in, std::int64_t n, KeyOrder<Key> order, const Known<Key>* known,
                             std::uint64_t* counts) {
  __shared__ Shared<unsigned, kDigits> own;
  const Known<Key> so_far = *known;
  const NextDigit<kDigitBits, Key> digit(so_far.mask);
  const int t = threadIdx.x;
  if (t < kDigits) own[t] = 0;
  __syncthreads();
  const std::int64_t threads = std::int64_t(gridDim.x) * kThreads;
  for (std::int64_t i = std::int64_t(blockIdx.x) * kThreads + t; i < n; i += threads) {
    const Key code = order.template code_of<kFloating>(in[i]);
    if (so_far.agrees(code)) atomicAdd(&own[digit(code)], 1u);
  }
  __syncthreads();
  if (t < kDigits && own[t] > 0)
    atomicAdd(reinterpret_cast<unsigned long long*>(counts) + t, static_cast<unsigned long long>(own[t]));
}

/// One block: the digit that the k-th key has.
template <class Key>
__global__ void choose_digit(Known<Key>* known, std::uint64_t* counts) {
  const Known<Key> so_far = *known;
  const NextDigit<kDigitBits, Key> digit(so_far.mask);
  const auto count = std::int64_t(counts[threadIdx.x]);
  std::int64_t total;
  const std::int64_t before = sum_before<kDigits>(count, total);
  counts[threadIdx.x] = 0;
  if (before < so_far.need && so_far.need <= before + count)
    *known = digit.found(so_far, threadIdx.x, before);
}

/// How many keys of each tile come before the k-th, and how many are equal to it.
template <class Key, bool kFloating>
__global__ void count_tiles(const Key* in, std::int64_t n, KeyOrder<Key> order, const Known<Key>* known,
                            std::uint32_t* before, std::uint32_t* equal) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const Key code = i < n ? order.template code_of<kFloating>(in[i]) : Key(0);
  const int first = __syncthreads_count(i < n && known->is_before(code));
  const int same = __syncthreads_count(i < n && known->agrees(code));
  if (threadIdx.x == 0) before[blockIdx.x] = std::uint32_t(first), equal[blockIdx.x] = std::uint32_t(same);
}

/// The k keys in the order of their positions.
template <class Key, bool kFloating>
__global__ void take_tile(const Key* in, std::int64_t n, KeyOrder<Key> order, const Known<Key>* known,
                          const std::uint32_t* before, const std::uint32_t* equal, Key* keys,
                          std::int64_t* positions) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const Key code = i < n ? order.template code_of<kFloating>(in[i]) : Key(0);
  const bool is_before = i < n && known->is_before(code), agrees = i < n && known->agrees(code);
  int total;
  const std::int64_t firsts = before[blockIdx.x] + sum_before<kThreads>(int(is_before), total);
  const std::int64_t sames = equal[blockIdx.x] + sum_before<kThreads>(int(agrees), total);
  if (!is_before && !(agrees && sames < known->need)) return;
  const std::int64_t to = firsts + min(sames, known->need);
  keys[to] = in[i];
  if (positions) positions[to] = i;
}

template <class C>
void radix_select(const typename C::Args& a, Context& ctx) {
  using Key = typename C::Key;
  constexpr bool kFloating = TypeTraits<typename C::T>::floating;
  constexpr int kBlocksPerMultiprocessor = 4;
  const std::int64_t tiles = ceil_div(a.n, kThreads);
  const std::int64_t blocks = min(tiles, std::int64_t{kBlocksPerMultiprocessor} * ctx.multiprocessors());
  auto* known = ctx.scratch<Known<Key>>(1);
  auto* counts = ctx.scratch<std::uint64_t>(kDigits);
  auto *before = ctx.scratch<std::uint32_t>(tiles + 1), *equal = ctx.scratch<std::uint32_t>(tiles + 1);
  Key* keys = a.keys_out ? a.keys_out : ctx.scratch<Key>(a.k);
  const Known<Key>* result = known;
  launch(ctx, 1, kDigits, 0, know_nothing<Key>, known, counts, a.k);
  for (int bit = 0; bit < KeyOrder<Key>::kBits; bit += kDigitBits) {
    launch(ctx, blocks, kThreads, 0, count_digits<Key, kFloating>, a.in, a.n, a.order, result, counts);
    launch(ctx, 1, kDigits, 0, choose_digit<Key>, known, counts);
  }
  launch(ctx, tiles, kThreads, 0, count_tiles<Key, kFloating>, a.in, a.n, a.order, result, before, equal);
  launch(ctx, 1, kThreads, 0, scan_counts<kThreads>, before, tiles);
  launch(ctx, 1, kThreads, 0, scan_counts<kThreads>, equal, tiles);
  launch(ctx, tiles, kThreads, 0, take_tile<Key, kFloating>, a.in, a.n, a.order, result, before, equal, keys,
         a.positions_out);
  run_sort<C>(keys, keys, a.positions_out, a.positions_out, a.k, a.order, ctx);
}

REGISTER(
    TopK, radix_select, .note = "finds the k-th code digit by digit, takes what comes before it, sorts that",
    .refuses = [](const TopK::Shape& shape, CaseId) { return refuse_long(shape); })

}  // namespace
}  // namespace tandem
