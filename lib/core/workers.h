#pragma once
// How many threads of the CPU may share the work of a call.

#include "tandem/parallel_for.h"

namespace tandem {

/// Threads that may work on one call, the caller's among them: the cores that the program may use, or what
/// TANDEM_THREADS or else OMP_NUM_THREADS says. 1 in a process made by fork(), which has no other threads.
TANDEM_API int most_workers();

}  // namespace tandem
