// Idea:    threads share the elements; long results go past the cache, 16 bytes at a time.
// New:     against serial, all cores; vector instructions without a test for overlap; and a store that does
//          not first read the line it is about to overwrite.
// Expect:  the bandwidth of a copy. Where a plain store costs a read and a write, z = f(x) saves one of three
//          words, z = f(x, y) one of four.
// Limits:  short results keep plain stores, since the next reader finds them in the cache; so do results in
//          place, whose lines are there already.
// Source:  OpenMP 4.5, section 2.8.1; Drepper 2007, "What every programmer should know about memory", section
//          6.1, on bypassing the cache.

#include <algorithm>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "lib/core/workers.h"
#include "lib/ops/transform/contract.h"

namespace tandem {
namespace {

constexpr std::int64_t kFewest = 128;          // below this a plain loop is faster
constexpr std::int64_t kBlock = 1 << 13;       // elements that a thread takes at once
constexpr std::int64_t kAloneBytes = 2 << 20;  // of inputs and results: up to this many one thread does all
constexpr std::int64_t kLongBytes = 16 << 20;  // results that no cache keeps

/// Results [begin, end) by plain stores.
template <class C>
void transform_block(typename C::Args a, std::int64_t begin, std::int64_t end) {
#pragma omp simd
  for (std::int64_t i = begin; i < end; ++i) a.out[i] = C::at(a, i);
}

/// Results [begin, end) past the cache.
template <class C>
void stream_block(typename C::Args a, std::int64_t begin, std::int64_t end) {
#ifdef __SSE2__
  constexpr int kVector = 16 / sizeof(typename C::T);
  const auto past =
      static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(a.out + begin) % 16 / sizeof(typename C::T));
  const std::int64_t first = std::min(end, begin + (past ? kVector - past : 0));
  const std::int64_t last = first + (end - first) / kVector * kVector;
  transform_block<C>(a, begin, first);
  for (std::int64_t i = first; i < last; i += kVector) {
    alignas(16) typename C::T results[kVector];
#pragma omp simd
    for (int lane = 0; lane < kVector; ++lane) results[lane] = C::at(a, i + lane);
    _mm_stream_si128(reinterpret_cast<__m128i*>(a.out + i), *reinterpret_cast<const __m128i*>(results));
  }
  _mm_sfence();  // streamed results are not ordered with other stores
  transform_block<C>(a, last, end);
#else
  transform_block<C>(a, begin, end);
#endif
}

template <class C>
void threads(const typename C::Args& a, Context&) {
  const bool in_place = std::find(std::begin(a.in), std::end(a.in), a.out) != std::end(a.in);
  const bool past_cache = !in_place && a.n * std::int64_t{sizeof(typename C::T)} > kLongBytes;
  const std::int64_t blocks = (a.n + kBlock - 1) / kBlock;
  constexpr std::int64_t kAlone =
      kAloneBytes / (kBlock * std::int64_t{sizeof(typename C::T)} * (C::kInputs + 1));
  parallel_for(blocks, {.most = 32, .alone = kAlone}, [&](std::int64_t first, std::int64_t last, int) {
    for (std::int64_t b = first; b < last; ++b) {
      const std::int64_t begin = b * kBlock, end = std::min(a.n, begin + kBlock);
      if (past_cache)
        stream_block<C>(a, begin, end);
      else
        transform_block<C>(a, begin, end);
    }
  });
}

REGISTER(
    Transform, threads, .note = "threads, vector instructions, long results past the cache",
    .suits = [](const Transform::Shape& s) { return s.n >= kFewest; })

}  // namespace
}  // namespace tandem
