// An NCCL that moves the memory of the host, by MPI: so that what ranks do on GPUs runs without one, with its kernels on the
// executor (TANDEM_RANKS_ON_EXECUTOR=1, TANDEM_NCCL=libtandem_fake_nccl.so). Streams are ignored: everything is done at once.

#include <mpi.h>

#include <cstring>
#include <vector>

#include "lib/dist/nccl.h"
#include "tandem/export.h"

namespace tandem {
namespace {

constexpr int kFailed = 3;  // ncclInternalError

struct Comm {
  std::vector<int> in_world;  // of each rank
  int rank, tag;
  int size() const { return static_cast<int>(in_world.size()); }
};

/// In the bytes of an id.
struct Root {
  int in_world, tag;
};

struct Message {
  bool sends;
  void* data;
  int bytes, peer, tag;
};
std::vector<Message> queued;
int groups = 0;

int flush() {
  std::vector<MPI_Request> requests;
  for (const Message& m : queued) {
    requests.emplace_back();
    const int code = m.sends ? MPI_Isend(m.data, m.bytes, MPI_BYTE, m.peer, m.tag, MPI_COMM_WORLD, &requests.back())
                             : MPI_Irecv(m.data, m.bytes, MPI_BYTE, m.peer, m.tag, MPI_COMM_WORLD, &requests.back());
    if (code != MPI_SUCCESS) return kFailed;
  }
  queued.clear();
  return MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE) == MPI_SUCCESS ? 0 : kFailed;
}

int add(bool sends, const void* data, std::size_t count, int peer, void* comm) {
  const Comm& all = *static_cast<Comm*>(comm);
  if (peer < 0 || peer >= all.size()) return kFailed;
  queued.push_back({sends, const_cast<void*>(data), static_cast<int>(count), all.in_world[static_cast<std::size_t>(peer)],
                    all.tag});
  return groups > 0 ? 0 : flush();
}

template <class T, class Op>
void combine(T* total, const T* other, std::size_t n, Op op) {
  using A = accumulator_t<T>;
  for (std::size_t i = 0; i < n; ++i)
    total[i] = static_cast<T>(op(static_cast<A>(total[i]), static_cast<A>(other[i])));
}

template <class T>
void combine(void* total, const void* other, std::size_t n, int op) {
  const auto by = [&](auto which) { combine(static_cast<T*>(total), static_cast<const T*>(other), n, which); };
  op == 0 ? by(plus) : op == 1 ? by(multiplies) : op == 2 ? by(maximum) : by(minimum);
}

/// Calls f<T>() for NCCL's number of a type.
template <class F>
void with_type(int type, const F& f) {
#define TANDEM_ROW(name, T, ...) \
  if (type == nccl_type(type_of<T>)) f.template operator()<T>();
  TANDEM_ELEMENT_TYPES(TANDEM_ROW)
#undef TANDEM_ROW
}

}  // namespace

extern "C" {

TANDEM_API int ncclGetVersion(int* version) {
  *version = 22809;
  return 0;
}
TANDEM_API int ncclGetUniqueId(NcclId* id) {
  static int next_tag = 1000;
  Root root{0, next_tag++};
  MPI_Comm_rank(MPI_COMM_WORLD, &root.in_world);
  root.tag += 100 * root.in_world;
  *id = {};
  std::memcpy(id->bytes.data(), &root, sizeof root);
  return 0;
}
TANDEM_API int ncclCommInitRank(void** comm, int ranks, NcclId id, int rank) {
  Root root;
  std::memcpy(&root, id.bytes.data(), sizeof root);
  auto* const made = new Comm{std::vector<int>(static_cast<std::size_t>(ranks)), rank, root.tag};
  int mine[2] = {rank, 0};
  MPI_Comm_rank(MPI_COMM_WORLD, &mine[1]);
  if (rank == 0) {
    made->in_world[0] = mine[1];
    for (int r = 1; r < ranks; ++r) {
      int other[2];
      MPI_Recv(other, 2, MPI_INT, MPI_ANY_SOURCE, root.tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      made->in_world[static_cast<std::size_t>(other[0])] = other[1];
    }
    for (int r = 1; r < ranks; ++r)
      MPI_Send(made->in_world.data(), ranks, MPI_INT, made->in_world[static_cast<std::size_t>(r)], root.tag, MPI_COMM_WORLD);
  } else {
    MPI_Send(mine, 2, MPI_INT, root.in_world, root.tag, MPI_COMM_WORLD);
    MPI_Recv(made->in_world.data(), ranks, MPI_INT, root.in_world, root.tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  *comm = made;
  return 0;
}
TANDEM_API int ncclCommDestroy(void* comm) {
  delete static_cast<Comm*>(comm);
  return 0;
}
TANDEM_API int ncclCommCount(void* comm, int* ranks) {
  *ranks = static_cast<Comm*>(comm)->size();
  return 0;
}
TANDEM_API int ncclCommUserRank(void* comm, int* rank) {
  *rank = static_cast<Comm*>(comm)->rank;
  return 0;
}
TANDEM_API int ncclCommGetAsyncError(void*, int* code) { return *code = 0; }
TANDEM_API int ncclGroupStart() {
  ++groups;
  return 0;
}
TANDEM_API int ncclGroupEnd() { return --groups == 0 ? flush() : 0; }
TANDEM_API int ncclSend(const void* from, std::size_t count, int, int to_rank, void* comm, void*) {
  return add(true, from, count, to_rank, comm);
}
TANDEM_API int ncclRecv(void* to, std::size_t count, int, int from_rank, void* comm, void*) {
  return add(false, to, count, from_rank, comm);
}
/// Everybody gets everything, and adds up in rank order.
TANDEM_API int ncclAllReduce(const void* in, void* out, std::size_t count, int type, int op, void* comm, void*) {
  const Comm& all = *static_cast<Comm*>(comm);
  int code = 0;
  with_type(type, [&]<class T>() {
    const std::size_t bytes = count * sizeof(T);
    std::vector<char> parts(static_cast<std::size_t>(all.size()) * bytes);
    ++groups;
    for (int r = 0; r < all.size(); ++r) {
      add(true, in, bytes, r, comm);
      add(false, parts.data() + static_cast<std::size_t>(r) * bytes, bytes, r, comm);
    }
    code = ncclGroupEnd();
    std::memcpy(out, parts.data(), bytes);
    for (int r = 1; r < all.size(); ++r)
      combine<T>(out, parts.data() + static_cast<std::size_t>(r) * bytes, count, op);
  });
  return code;
}
TANDEM_API const char* ncclGetErrorString(int code) { return code == 0 ? "no error" : "a message failed"; }

}  // extern "C"

}  // namespace tandem
