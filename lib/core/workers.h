#pragma once
// How many threads of the CPU may share the work of a call.

#include "tandem/parallel_for.h"

namespace tandem {

/// Threads that may work on one call, the caller's among them: the cores that the program may use, or what
/// TANDEM_THREADS or else OMP_NUM_THREADS says. 1 in a process made by fork(), which has no other threads.
TANDEM_API int most_workers();

/// For tests. While one lives, the caller of a loop that is shared out begins when a second thread has come, so that what is
/// wrong where two work at once goes wrong. It waits 20 ms at most.
class TANDEM_API WorkersMeet {
 public:
  WorkersMeet();
  ~WorkersMeet();
  WorkersMeet(const WorkersMeet&) = delete;
  WorkersMeet& operator=(const WorkersMeet&) = delete;
};

}  // namespace tandem
