// Idea:    one thread scans chunks from the left while the others reduce chunks from the right. When
//          no chunk is left between them, the totals of the reduced chunks are scanned, and all
//          threads scan those chunks.
// New:     against threads, chunks are claimed one by one, so nobody waits for a slow thread; and four
//          results of a chunk advance at once: y[i] = y[i−4] ∘ (x[i−3] ∘ x[i−2]) ∘ (x[i−1] ∘ x[i]), one
//          vector operation per row of four. out[i] = (all chunks before) ∘ y[i], whoever computes it, so the
//          bits of the results do not depend on the number of threads or on which thread claims what.
// Expect:  bound by memory: two words per element for the thread on the left, three for the others, whose
//          last reduced chunks are still in the cache when they are scanned. The chain of dependent
//          operations is a quarter of a chunk long, and one per chunk. Long outputs are written with
//          non-temporal stores: others would first read the lines that they overwrite.
// Limits:  with many threads the left one scans a small share, so that nearly all elements are read twice;
//          only sums, and products of floating-point numbers, go in rows; others one by one, as their latency
//          is short.
// Source:  Hillis, Steele 1986, "Data parallel algorithms" (the window of four is their first two steps).

#include <algorithm>
#include <atomic>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "lib/core/workers.h"
#include "lib/ops/scan/contract.h"

namespace tandem {
namespace {

constexpr int kRow = 4;                   // results that advance together, and the width of the window
constexpr int kBlock = 256;               // results buffered in the first-level cache before they are written
constexpr std::int64_t kChunk = 1 << 16;  // elements that a thread claims at once
constexpr std::int64_t kFewest = 128;     // below this a plain loop is faster
constexpr std::int64_t kLongBytes = 16 << 20;  // longer outputs would not stay in a cache

/// Operators whose latency a row of kRow results hides.
template <class C>
constexpr bool kInRows = C::id.op == OperatorId::plus ||
                         (C::id.op == OperatorId::multiplies && std::is_floating_point_v<typename C::Acc>);

/// results[i] = results[−1] ∘ x[0] ∘ … ∘ x[i]. Not inlined: then compilers keep the row in registers.
template <class C>
[[gnu::noinline]] void scan_block(const typename C::T* x, int n, typename C::Acc* __restrict results) {
  using Op = typename C::Op;
  int i = 0;
  if (n > kRow) {
    for (; i < kRow; ++i) results[i] = Op{}(results[i - 1], C::load(x[i]));
    typename C::Acc row[kRow];
    std::copy_n(results, kRow, row);
    for (; i + kRow <= n; i += kRow) {
#pragma omp simd
      for (int lane = 0; lane < kRow; ++lane) {
        const auto* e = x + i + lane;
        row[lane] =
            Op{}(row[lane], Op{}(Op{}(C::load(e[-3]), C::load(e[-2])), Op{}(C::load(e[-1]), C::load(e[0]))));
        results[i + lane] = row[lane];
      }
    }
  }
  for (; i < n; ++i) results[i] = Op{}(results[i - 1], C::load(x[i]));
}

/// to[i] = before ∘ from[i].
template <class C>
void put(typename C::Acc before, const typename C::Acc* __restrict from, int n,
         typename C::T* __restrict to) {
#pragma omp simd
  for (int i = 0; i < n; ++i) to[i] = C::result(typename C::Op{}(before, from[i]));
}

/// to[i] = from[i], with non-temporal stores, which bypass the cache.
template <class T>
void stream(const T* from, int n, T* to) {
  int i = 0;
#ifdef __SSE2__
  for (; i < n && reinterpret_cast<std::uintptr_t>(to + i) % 16 != 0; ++i) to[i] = from[i];
  constexpr int kVector = 16 / sizeof(T);
  for (; i + kVector <= n; i += kVector) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
  }
#endif
  std::copy_n(from + i, n - i, to + i);
}

/// Scans a chunk, writes before ∘ (its scan) to y unless y is null, and returns before ∘ its total. A block
/// of results is buffered, because y may be x, and the window still reads elements that it would have
/// overwritten.
template <class C>
typename C::Acc scan_in_rows(const typename C::T* x, std::int64_t n, typename C::Acc before, typename C::T* y,
                             bool exclusive, bool past_cache) {
  using Acc = typename C::Acc;
  alignas(64) Acc block[64 / sizeof(Acc) + kBlock];
  alignas(64) typename C::T ready[kBlock];
  Acc* results = block + 64 / sizeof(Acc);
  results[-1] = C::identity();
  for (std::int64_t first = 0; first < n; first += kBlock) {
    const int size = static_cast<int>(std::min<std::int64_t>(n - first, kBlock));
    scan_block<C>(x + first, size, results);
    const Acc* from = exclusive ? results - 1 : results;
    if (y && past_cache) {
      put<C>(before, from, size, ready);
      stream(ready, size, y + first);
    } else if (y) {
      put<C>(before, from, size, y + first);
    }
    results[-1] = results[size - 1];
  }
  return typename C::Op{}(before, results[-1]);
}

/// The same, one element after the other.
template <class C>
typename C::Acc scan_one_by_one(const typename C::T* x, std::int64_t n, typename C::Acc before,
                                typename C::T* y, bool exclusive, bool past_cache) {
  using T = typename C::T;
  using Op = typename C::Op;
  before = C::load(before);  // an operand already; said here, a truth value is not asked for again and again
  if (!y) {
    for (std::int64_t i = 0; i < n; ++i) before = Op{}(before, C::load(x[i]));
    return before;
  }
  T ready[kBlock];
  for (std::int64_t first = 0; first < n; first += kBlock) {
    const int size = static_cast<int>(std::min<std::int64_t>(n - first, kBlock));
    T* to = past_cache ? ready : y + first;
    for (int i = 0; i < size; ++i) {
      const auto after = Op{}(before, C::load(x[first + i]));
      to[i] = C::result(exclusive ? before : after);
      before = after;
    }
    if (past_cache) stream(ready, size, y + first);
  }
  return before;
}

/// By rows or one by one; ends the streamed stores.
template <class C>
typename C::Acc scan_chunk(const typename C::T* x, std::int64_t n, typename C::Acc before, typename C::T* y,
                           bool exclusive, bool past_cache) {
  typename C::Acc total;
  if constexpr (kInRows<C>)
    total = scan_in_rows<C>(x, n, before, y, exclusive, past_cache);
  else
    total = scan_one_by_one<C>(x, n, before, y, exclusive, past_cache);
#ifdef __SSE2__
  _mm_sfence();  // streamed results are not ordered with other stores
#endif
  return total;
}

template <class C>
void both_ends(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  using Acc = typename C::Acc;
  const std::int64_t chunks = (a.n + kChunk - 1) / kChunk;
  const bool past_cache = a.in != a.out && a.n * std::int64_t{sizeof(T)} > kLongBytes;
  const auto scan = [&](std::int64_t c, Acc before, T* out) {
    const std::int64_t begin = c * kChunk;
    return scan_chunk<C>(a.in + begin, std::min(kChunk, a.n - begin), before, out ? out + begin : nullptr,
                         a.exclusive, past_cache);
  };
  Acc* totals = ctx.scratch<Acc>(chunks);
  std::int64_t left = 0;                    // [0, left) is scanned
  std::atomic<std::int64_t> right{chunks};  // [right, chunks) is reduced
  Acc carry = a.init;

  parallel_for(chunks, {}, [&](std::int64_t begin, std::int64_t end, int worker) {
    for (std::int64_t claim = begin; claim < end; ++claim) {
      if (worker == 0) {
        carry = scan(left, carry, a.out);
        ++left;
      } else {
        const std::int64_t c = --right;
        totals[c] = scan(c, C::identity(), nullptr);
      }
    }
  });
  for (std::int64_t c = left; c < chunks; ++c) {
    const Acc total = totals[c];
    totals[c] = carry;
    carry = typename C::Op{}(carry, total);
  }
  parallel_for(chunks - left, {}, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t c = left + begin; c < left + end; ++c) scan(c, totals[c], a.out);
  });
}

// Operators that round advance in rows: a quarter of a chunk's elements, a few more at the start of each
// block, and one step per chunk.
REGISTER(
    Scan, both_ends, .note = "scan from the left, reduce from the right, scan the rest",
    .depth =
        [](std::int64_t n) {
          return 0.28 * static_cast<double>(std::min(n, kChunk)) + 16 + static_cast<double>(n / kChunk + 1);
        },
    .suits = [](const Scan::Shape& s) { return s.n >= kFewest; })

}  // namespace
}  // namespace tandem
