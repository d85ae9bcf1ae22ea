// The plugin libtandem_mpi.so: the functions of an Engine by MPI. The one file that includes MPI's header.

#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "lib/dist/engine.h"
#include "tandem/export.h"

namespace tandem {
namespace {

MPI_Comm of(int comm) { return MPI_Comm_f2c(comm); }

/// Notes an error of a function that makes a communicator, or the communicator. Errors come back as codes, they do not end the program.
int made(int error, MPI_Comm comm, int* out) {
  if (error != MPI_SUCCESS) return error;
  *out = MPI_Comm_c2f(comm);
  return MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
}

void (*before_end)() = nullptr;
bool started_here = false;
pid_t process;  // that this happens in: a child of fork() has the handlers, too, but is no rank

void end() {
  if (getpid() != process) return;
  if (before_end) std::exchange(before_end, nullptr)();
  int ended = 0;
  MPI_Finalized(&ended);
  if (started_here && !ended) MPI_Finalize();
}

int start() {
  int ended = 0, there = 0, provided = 0;
  MPI_Finalized(&ended);
  if (ended) return MPI_ERR_OTHER;
  MPI_Initialized(&there);
  if (there) return MPI_SUCCESS;
  const int error = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
  started_here = error == MPI_SUCCESS;
  process = getpid();
  std::atexit(end);  // now, so that it comes before what the libraries of MPI have to do at exit
  return error;
}

void at_end(void (*work)()) {
  before_end = work;
  process = getpid();
  std::atexit(end);
}

int world(int* comm) {
  *comm = MPI_Comm_c2f(MPI_COMM_WORLD);
  return MPI_SUCCESS;
}

int duplicate(int comm, int* copy) {
  MPI_Comm made_one;
  const int error = MPI_Comm_dup(of(comm), &made_one);
  return made(error, made_one, copy);
}

int split(int comm, int colour, int key, int* part) {
  MPI_Comm made_one;
  const int error = MPI_Comm_split(of(comm), colour, key, &made_one);
  return made(error, made_one, part);
}

int release(int comm) {
  int ended = 0;
  MPI_Finalized(&ended);
  MPI_Comm mine = of(comm);
  return ended ? MPI_SUCCESS : MPI_Comm_free(&mine);
}

int place(int comm, int* rank, int* size) {
  const int error = MPI_Comm_rank(of(comm), rank);
  return error != MPI_SUCCESS ? error : MPI_Comm_size(of(comm), size);
}

int barrier(int comm) { return MPI_Barrier(of(comm)); }

int all_gather(int comm, const void* part, void* all, int bytes) {
  return MPI_Allgather(part, bytes, MPI_BYTE, all, bytes, MPI_BYTE, of(comm));
}

int all_gather_parts(int comm, const void* part, void* all, const int* bytes, const int* at) {
  int rank = 0;
  const int error = MPI_Comm_rank(of(comm), &rank);
  if (error != MPI_SUCCESS) return error;
  return MPI_Allgatherv(part, bytes[rank], MPI_BYTE, all, bytes, at, MPI_BYTE, of(comm));
}

int all_to_all(int comm, const void* from, const int* from_bytes, const int* from_at, void* to,
               const int* to_bytes, const int* to_at) {
  return MPI_Alltoallv(from, from_bytes, from_at, MPI_BYTE, to, to_bytes, to_at, MPI_BYTE, of(comm));
}

MPI_Datatype of(Type type) {
  switch (type) {
    case Type::f32:
      return MPI_FLOAT;
    case Type::f64:
      return MPI_DOUBLE;
    case Type::i8:
      return MPI_INT8_T;
    case Type::u8:
      return MPI_UINT8_T;
    case Type::i32:
      return MPI_INT32_T;
    case Type::u32:
      return MPI_UINT32_T;
    case Type::i64:
      return MPI_INT64_T;
    case Type::u64:
      return MPI_UINT64_T;
    default:
      return MPI_DATATYPE_NULL;
  }
}

MPI_Op of(OperatorId op) {
  switch (op) {
    case OperatorId::plus:
      return MPI_SUM;
    case OperatorId::multiplies:
      return MPI_PROD;
    case OperatorId::minimum:
      return MPI_MIN;
    case OperatorId::maximum:
      return MPI_MAX;
    default:
      return MPI_OP_NULL;
  }
}

int all_reduce(int comm, const void* in, void* out, int count, Type type, OperatorId op) {
  return MPI_Allreduce(in == out ? MPI_IN_PLACE : in, out, count, of(type), of(op), of(comm));
}

void describe(int code, char* text, int room) {
  char whole[MPI_MAX_ERROR_STRING];
  int length = 0;
  if (MPI_Error_string(code, whole, &length) != MPI_SUCCESS) std::strcpy(whole, "unknown error");
  std::snprintf(text, static_cast<std::size_t>(room), "%s", whole);
}

void abort_all(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

const char* library() {
  static char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  return text;
}

}  // namespace

extern "C" TANDEM_API const Engine* tandem_engine() {
  static const Engine engine{kEngineVersion, library(),  start,    at_end,   world,      duplicate,
                             split,          release,    place,    barrier,  all_gather, all_gather_parts,
                             all_to_all,     all_reduce, describe, abort_all};
  return &engine;
}

}  // namespace tandem
