// An MPI and an NCCL of one rank, which copies what it sends to itself: for calls over ranks on the runtime of cuda_faults.cpp, with or
// without an MPI here. TANDEM_MPI and TANDEM_NCCL name the library that holds them. Of both the functions that a rank on a GPU
// calls; NCCL's others are looked for alone.

#include <cstring>

#include "lib/dist/engine.h"
#include "tandem/export.h"
#include "tests/preload/functor_calls.h"

namespace {

int communicators = 0;  // of NCCL, now

int number(int* comm) { return *comm = 0; }
int place(int, int* rank, int* size) {
  *rank = 0;
  *size = 1;
  return 0;
}
int all_gather(int, const void* part, void* all, int bytes) {
  std::memcpy(all, part, static_cast<std::size_t>(bytes));
  return 0;
}

}  // namespace

extern "C" {

TANDEM_API const tandem::Engine* tandem_engine() {
  static const tandem::Engine engine = [] {
    tandem::Engine one{};
    one.version = tandem::kEngineVersion;
    one.start = [] { return 0; };
    one.world = number;
    one.duplicate = [](int, int* copy) { return number(copy); };
    one.release = [](int) { return 0; };
    one.place = place;
    one.all_gather = all_gather;
    return one;
  }();
  return &engine;
}

TANDEM_API int ncclGetVersion(int* version) {
  *version = 22809;
  return 0;
}
TANDEM_API int ncclCommInitRank(void** comm) {
  static char one;
  *comm = &one;
  ++communicators;
  return 0;
}
TANDEM_API int ncclCommDestroy(void*) {
  --communicators;
  return 0;
}
TANDEM_API int tandem_communicators() { return communicators; }
#define SUCCEEDS(name) \
  TANDEM_API int name() { return 0; }
SUCCEEDS(ncclGetUniqueId)
SUCCEEDS(ncclGroupStart)
SUCCEEDS(ncclGroupEnd)
SUCCEEDS(ncclCommCount)
SUCCEEDS(ncclCommUserRank)
SUCCEEDS(ncclCommGetAsyncError)
SUCCEEDS(ncclAllReduce)
SUCCEEDS(ncclSend)
SUCCEEDS(ncclRecv)
SUCCEEDS(ncclGetErrorString)

}  // extern "C"
