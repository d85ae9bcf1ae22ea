#pragma once
// NCCL, which moves what lies in the memory of GPUs: the few functions of its C interface that are needed, taken from the
// library when a program asks for a communicator of a GPU. Neither this library nor its build needs NCCL.

#include <array>
#include <cstddef>

#include "tandem/operators.h"

namespace tandem {

/// Names one communicator that is to be made; rank 0 has it from NCCL and gives it to the others.
struct NcclId {
  std::array<char, 128> bytes;
};

/// NCCL's functions by their names without "nccl". They return 0 or NCCL's code of an error; streams are cudaStream_t,
/// communicators ncclComm_t.
struct Nccl {
  using Comm = void*;
  using Stream = void*;

  int (*GetVersion)(int* version);
  int (*GetUniqueId)(NcclId* id);
  int (*CommInitRank)(Comm* comm, int ranks, NcclId id, int rank);
  int (*CommDestroy)(Comm comm);
  int (*CommCount)(Comm comm, int* ranks);
  int (*CommUserRank)(Comm comm, int* rank);
  int (*CommGetAsyncError)(Comm comm, int* code);
  int (*AllReduce)(const void* in, void* out, std::size_t count, int type, int op, Comm comm, Stream stream);
  int (*Send)(const void* from, std::size_t count, int type, int to_rank, Comm comm, Stream stream);
  int (*Recv)(void* to, std::size_t count, int type, int from_rank, Comm comm, Stream stream);
  int (*GroupStart)();
  int (*GroupEnd)();
  const char* (*GetErrorString)(int code);
};

/// Throws Unavailable, which says what is missing and how to get it. TANDEM_NCCL names the file.
const Nccl& nccl();

/// NCCL's numbers of element types and operators; −1 for what it has not.
int nccl_type(Type type);
int nccl_operator(OperatorId op);
constexpr int kNcclBytes = 1;  // ncclUint8

}  // namespace tandem
