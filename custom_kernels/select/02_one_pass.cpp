// Idea:    a thread compacts a chunk within its cache; how many elements are kept before it is told by the chunk before,
//          as soon as that has counted its own; then the results are copied to their place.
// New:     against threads, memory is read once. A chunk waits for the counts before it, not for the copies.
// Expect:  a read of each element, and a write of each that is kept: the chunk's results come from the cache. Chunks are
//          taken in ascending order, so that the one that all others wait for is always being worked on.
//          A count that comes late, because the system stopped its thread, is made by the thread that waits for it.
// Limits:  in place nobody else can count, so there a thread that is stopped holds up the others for as long. A partition moves
//          the others twice. Only unique cannot be in place: a chunk looks at the element before it.
// Source:  Merrill, Garland 2016, "Single-pass parallel prefix scan with decoupled look-back", with one word for each
//          chunk, because there are few.

#include <atomic>
#include <chrono>
#include <thread>

#include "custom_kernels/select/detail/loops.h"
#include "lib/core/workers.h"

namespace tandem {
namespace {

/// How many elements are kept before each chunk; −1: not known yet.
class Before {
 public:
  Before(std::int64_t* counts, std::int64_t chunks) : counts_(counts) {
    std::fill_n(counts, chunks + 1, -1);
    counts[0] = 0;
  }
  std::int64_t now(std::int64_t chunk) const {
    return std::atomic_ref(counts_[chunk]).load(std::memory_order_acquire);
  }
  void tell(std::int64_t chunk, std::int64_t count) const {
    std::atomic_ref(counts_[chunk]).store(count, std::memory_order_release);
  }
  /// Whether it is known within some 30 µs.
  bool soon(std::int64_t chunk) const {
    const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(30);
    do {
      for (int spins = 0; spins < 64; ++spins) {
        if (now(chunk) >= 0) return true;
      }
    } while (std::chrono::steady_clock::now() < until);
    return false;
  }

 private:
  std::int64_t* counts_;
};

/// What is kept before chunk c. Where that comes late, the system may have stopped a thread: chunks whose counts nobody told are
/// counted here, unless results may have replaced them.
template <class Args>
std::int64_t kept_before(const Args& a, const Before& before, std::int64_t c) {
  while (!before.soon(c)) {
    if (a.out == a.in) {
      std::this_thread::yield();
      continue;
    }
    std::int64_t known = c;
    while (before.now(known) < 0) --known;
    for (std::int64_t kept = before.now(known); known < c; ++known) {
      kept += count_kept(a, known * kSelectChunk, (known + 1) * kSelectChunk);
      before.tell(known + 1, kept);
    }
  }
  return before.now(c);
}

template <class C>
void one_pass(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const std::int64_t chunks = (a.n + kSelectChunk - 1) / kSelectChunk;
  const Pieces pieces{.alone = kSelectAlone / kSelectChunk};
  T* const caches = ctx.scratch<T>(most_workers() * kSelectChunk);
  T* const others = a.kind == Select::Kind::partition ? ctx.scratch<T>(a.n) : nullptr;
  const Before before(ctx.scratch<std::int64_t>(chunks + 1), chunks);

  parallel_for(chunks, pieces, [&](std::int64_t first, std::int64_t last, int worker) {
    T* const cache = caches + worker * kSelectChunk;
    for (std::int64_t c = first; c < last; ++c) {
      const std::int64_t begin = c * kSelectChunk, end = std::min(a.n, begin + kSelectChunk);
      const std::int64_t kept = compact(a, begin, end, cache, others ? others + begin : nullptr);
      const std::int64_t to = kept_before(a, before, c);
      before.tell(c + 1, to + kept);
      std::copy_n(cache, kept, a.out + to);
    }
  });
  const std::int64_t kept = before.now(chunks);
  *a.count = kept;
  if (!others) return;
  parallel_for(chunks, pieces, [&](std::int64_t first, std::int64_t last, int) {
    for (std::int64_t c = first; c < last; ++c) {
      const std::int64_t begin = c * kSelectChunk, size = std::min(a.n, begin + kSelectChunk) - begin;
      const std::int64_t here = before.now(c);
      std::copy_n(others + begin, size - (before.now(c + 1) - here), a.out + kept + begin - here);
    }
  });
}

std::string looks_back(const Select::Shape& shape, CaseId) {
  if (!shape.in_place || shape.kind != Select::Kind::unique) return {};
  return "unique in place: a chunk looks at the element before it, which may be overwritten";
}

REGISTER(Select, one_pass, .note = "compact chunks in the cache, copy them behind each other",
         .refuses = looks_back)

}  // namespace
}  // namespace tandem
