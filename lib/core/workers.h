#pragma once
// How many threads of the CPU may share the work of a call.

#include <functional>

#include "tandem/parallel_for.h"

namespace tandem {

/// Threads that may work on one call, the caller's among them: the cores that the program may use, or what
/// TANDEM_THREADS or else OMP_NUM_THREADS says. 1 in a process made by fork(), which has no other threads.
TANDEM_API int most_workers();

/// For tests. While one lives, the thread that made it does alone what its loops would share out, one piece after the other,
/// each as the next worker, or several in succession where a loop has more pieces than begin() allows turns. begin() is called
/// before the first turn of a loop, end(worker) behind each.
class TANDEM_API PiecesInTurn {
 public:
  PiecesInTurn(std::function<std::int64_t()> begin, std::function<void(int worker)> end);
  ~PiecesInTurn();
  PiecesInTurn(const PiecesInTurn&) = delete;
  PiecesInTurn& operator=(const PiecesInTurn&) = delete;
  void run(std::int64_t n, std::int64_t size, detail::Piece piece, const void* body) const;

 private:
  std::function<std::int64_t()> begin_;
  std::function<void(int worker)> end_;
};

/// For tests. While one lives, the thread that made it is the only one that may work on its calls.
class TANDEM_API OneWorker {
 public:
  OneWorker();
  ~OneWorker();
  OneWorker(const OneWorker&) = delete;
  OneWorker& operator=(const OneWorker&) = delete;
};

}  // namespace tandem
