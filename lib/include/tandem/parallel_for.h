#pragma once
// A loop whose work the threads of the CPU share. They belong to the program, wait asleep and are made when a call first has
// enough work. No call waits for a thread that has not come: on a busy machine the calling thread does all by itself, as fast
// as a serial path would.

#include <cstdint>

#include "tandem/export.h"

namespace tandem {

/// How a loop is shared out.
struct Pieces {
  std::int64_t size =
      1;  // iterations that a thread takes at once: some 20 µs of work, far more than taking costs
  std::int64_t most = 0;   // or of a long loop up to so many, that each thread reads on longer
  std::int64_t alone = 1;  // up to this many iterations, the calling thread does all: waking takes some 50 µs
};

namespace detail {
using Piece = void (*)(const void* body, std::int64_t begin, std::int64_t end, int worker);
TANDEM_API void share_out(std::int64_t n, Pieces pieces, Piece piece, const void* body);
}  // namespace detail

/// Calls body(begin, end, worker) for pieces of [0, n) that together are all of it, in ascending order but
/// several at once, and returns when all are done. `worker` is 0 on the calling thread and never
/// that of another thread of this call. What a body throws is thrown again, and pieces
/// that nobody began are left out. A piece that some thread holds is waited for.
template <class Body>
void parallel_for(std::int64_t n, Pieces pieces, const Body& body) {
  if (n <= pieces.alone || n <= pieces.size) {
    if (n > 0) body(std::int64_t{0}, n, 0);
    return;
  }
  detail::share_out(
      n, pieces,
      [](const void* b, std::int64_t begin, std::int64_t end, int worker) {
        (*static_cast<const Body*>(b))(begin, end, worker);
      },
      &body);
}

}  // namespace tandem
