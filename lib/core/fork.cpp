// After fork() the child has one thread: those of OpenMP, which vendor rows use, stayed in the parent, and a
// parallel region would wait for them for ever. So they run on one thread there, as the workers do (workers.h).

#include <omp.h>
#include <pthread.h>

namespace tandem {
namespace {

[[maybe_unused]] const int registered = pthread_atfork(nullptr, nullptr, [] { omp_set_num_threads(1); });

}  // namespace
}  // namespace tandem
