#pragma once
// Ranks: the processes that compute together, as `mpirun -n 4 program` starts them. MPI connects them, in a plugin
// (libtandem_mpi.so) that is loaded when a program first asks for a communicator. Calls that take a Communicator in place of a
// Context are made by all of its ranks (tandem/ranks.h).
//
// Where contexts are of GPUs, a GPU for each rank, NCCL moves what lies in their memory, and MPI tells sizes and single values.
//
// A rank that is killed, stopped, or gone while others wait for it ends the processes of all ranks within 10 seconds, with
// exit status 75 and one line that names it and the call. A rank that is only late is waited for, TANDEM_TIMEOUT
// seconds (1800 unless set; 0: without an end). TANDEM_WATCHDOG=0 switches this off, for a debugger that stops ranks.

#include <array>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "tandem/context.h"
#include "tandem/operators.h"

namespace tandem {

/// Ranks made different calls, or gave sizes that must agree and do not. Thrown on every rank; outputs are untouched.
class TANDEM_API RanksDiffer : public Error {
 public:
  RanksDiffer(int rank, const std::string& text) : Error(text), rank(rank) {}
  int rank;  // the first that differs from most
};

/// Another rank threw in its part of the call. Outputs are unspecified.
class TANDEM_API RankFailed : public Error {
 public:
  RankFailed(int rank, const std::string& text) : Error(text), rank(rank) {}
  int rank;
};

/// A function of MPI or NCCL failed. Outputs are unspecified.
class TANDEM_API CommunicationError : public Error {
 public:
  CommunicationError(int code, const std::string& text) : Error(text), code(code) {}
  int code;  // MPI's or NCCL's
};

/// Calls that all ranks of a communicator make together.
enum class RankCall : std::int32_t {
  start,
  barrier,
  split,
  all_reduce,
  reduce,
  inclusive_scan,
  exclusive_scan,
  transpose,
  gemm,
  tridiagonal,
  intersect,
  halos,
  end
};
TANDEM_API const char* name(RankCall call);

/// Names for Options::use of a call over ranks that has several algorithms, "all_reduce/custom/gather" and so on; else none. (What
/// names the path of a rank's own part, as in reduce, is not among them.)
TANDEM_API const std::vector<std::string>& ranks_paths(RankCall call);

/// The number of this process among those that the launcher started on its node, as Open MPI, MPICH and SLURM tell it in the
/// environment; 0 where none does.
TANDEM_API int local_rank();
/// A context of this process's GPU: of those that it sees, the one of number local_rank(), counted from the first again where there are
/// fewer. It becomes the current one of the calling thread. Throws Unavailable without a GPU.
TANDEM_API Context local_device();

struct Peers;  // tandem/device/peers.h
namespace detail {
class RanksScope;
}

/// Ranks that compute together, numbered from 0 on. Movable, not copyable; used by one thread at a time. Making one,
/// splitting it and its calls are made by all of its ranks, in the same order.
///
/// With TANDEM_CHECK_RANKS=1 in the environment of any rank, before each call the ranks compare what they call: operation, type,
/// operator, and sizes that must agree. Where they differ, RanksDiffer on every rank names the rank that does.
class TANDEM_API Communicator {
 public:
  /// All ranks that were started together (MPI_COMM_WORLD). Initialises MPI where nobody has, and ends it with the program.
  /// `ctx` is where this rank computes; it must outlive the communicator, and stay where it is: on every rank the host, or on every
  /// rank a GPU that no other has (local_device()). Throws Unavailable (no plugin; with a GPU, no NCCL), InvalidArgument on every rank
  /// where two of them have one GPU, RanksDiffer where some compute on the host and others do not, RankFailed where another rank
  /// threw, CommunicationError.
  static Communicator mpi(Context& ctx);
  /// The ranks of a communicator of the caller's: MPI_Comm_c2f(comm). It stays the caller's; this makes a copy, so that
  /// messages do not mix. Throws as mpi().
  static Communicator adopt_mpi(Context& ctx, int comm);
  /// The same ranks, of an ncclComm_t of the caller's, which stays the caller's and must outlive this. comm, as in adopt_mpi, has them
  /// in the same order: MPI tells them what NCCL does not. InvalidArgument where the two disagree, or ctx is not of a GPU.
  static Communicator adopt_nccl(Context& ctx, void* nccl, int comm);
  /// A communicator that was moved from can be assigned to and destroyed; everything else throws InvalidArgument.
  Communicator(Communicator&&) noexcept;
  Communicator& operator=(Communicator&&) noexcept;
  /// This rank leaves: a call of the others that still waits for it ends all ranks.
  ~Communicator();

  int rank() const;
  int size() const;
  /// Ranks of the same colour form a communicator, in the order of their keys, and of their numbers where those are equal.
  /// colour: at least 0. Throws InvalidArgument, and RankFailed where another rank did.
  Communicator split(int colour, int key = 0);
  /// Waits until all ranks are here.
  void barrier();
  /// MPI's communicator, for MPI_Comm_f2c. It ends with this object.
  int native_handle() const;
  /// NCCL's communicator, an ncclComm_t; null where ranks compute on the host. It ends with this object, unless it is the caller's.
  void* nccl_handle() const;
  /// Where this rank computes.
  Context& context() const;

  struct Impl;  // lib/dist/communicator_impl.h

 private:
  friend class detail::RanksScope;
  explicit Communicator(Impl* impl) : impl_(impl) {}
  Impl& impl() const;

  Impl* impl_;  // null once moved from
};

namespace detail {

/// What a rank calls, as ranks compare it.
struct RanksCall {
  RankCall call;
  CaseId id{Type{}, OperatorId::none};
  /// Of an operator of one's own: a text that tells its types.
  const char* own = nullptr;
  /// That must agree on all ranks; −1: each has its own.
  std::array<std::int64_t, 3> sizes{-1, -1, -1};
  /// Of ranks_paths(call), where ranks must take the same; −1 before a rank knows.
  std::int32_t path = -1;
};

/// What goes to a rank, or comes from it.
struct Parcel {
  int rank;
  void* data;
  std::int64_t bytes;
};

/// Element `first` and so on of the arrays of all ranks: those of rank r at parts + r · stride elements.
struct FoldParts {
  const void* parts;
  std::int64_t stride;
  int ranks;
  std::int64_t count, first;
  void* out;
};

/// A text that tells own operators and their types apart.
template <class Op, class... Types>
constexpr const char* own_name() {
  return __PRETTY_FUNCTION__;
}

/// A call over ranks, from its beginning to its end.
class TANDEM_API RanksScope {
 public:
  RanksScope(Communicator& all, const RanksCall& call);
  RanksScope(const RanksScope&) = delete;
  ~RanksScope();

  int rank() const;
  int size() const;
  Context& context() const;
  /// Whether ranks compute on GPUs: then memory_here() is a GPU's, and exchange() and deliver() take such memory.
  bool on_device() const;
  /// Unavailable on every rank, for what ranks on GPUs cannot do yet.
  void refuse_device(const char* what) const;
  /// Compares the call between ranks, and whether one of them `failed` to begin it: RanksDiffer, and RankFailed on those that did
  /// not. The constructor does so where TANDEM_CHECK_RANKS asks for it.
  void agree(bool failed);
  /// This rank's part of a call, before anything is sent. Where it throws, the others throw RankFailed; agree() compares the calls.
  template <class Work>
  void together(const Work& work) {
    std::exception_ptr thrown;
    try {
      work();
    } catch (...) {
      thrown = std::current_exception();
    }
    agree(thrown != nullptr);
    if (thrown) std::rethrow_exception(thrown);
  }
  /// The RankFailed that names `rank`.
  [[noreturn]] void throw_failed(int rank) const;
  /// `bytes` of every rank, in rank order.
  void all_gather(const void* part, void* all, std::int64_t bytes);
  void all_gather_parts(const void* part, void* all, const int* bytes, const int* at);
  void all_to_all(const void* from, const int* from_bytes, const int* from_at, void* to, const int* to_bytes,
                  const int* to_at);
  /// from_bytes[r] bytes go to rank r and to_bytes[r] come from it, for each r: blocks one behind the other in rank order, of any
  /// size. Where a rank's are more than `limit`, in several messages.
  void exchange(const std::byte* from, const std::vector<std::int64_t>& from_bytes, std::byte* to,
                const std::vector<std::int64_t>& to_bytes, std::int64_t limit = std::int64_t{1} << 30);
  /// On GPUs: everything at once. Pieces between two ranks meet in the order in which they stand, and have one length.
  void deliver(const std::vector<Parcel>& sent, const std::vector<Parcel>& received);
  /// Memory of the GPUs into which the ranks' kernels store. Made by all ranks at the first call. Throws Unavailable, on all of them and
  /// at each call, where they cannot have it.
  const Peers& peers();
  /// By such kernels; `step` of PeerStep.
  void all_reduce_by_peers(int step, const void* in, void* out, std::int64_t n, const CaseId& id);
  /// NCCL's own, on GPUs.
  void all_reduce_by_nccl(const void* in, void* out, std::int64_t n, const CaseId& id);
  /// The path that this rank takes; agree() compares it.
  void take(int path) { call_.path = path; }
  /// Sums and the like of MPI's own, in chunks that its counts can hold.
  void all_reduce_by_mpi(const void* in, void* out, std::int64_t n, const CaseId& id);

  /// Whether all ranks run on one node.
  bool is_one_node() const;
  /// Made by all ranks: gives each rank a block of so many bytes that all of them read and write. False on all where one of
  /// them cannot have it.
  bool share(std::int64_t bytes);
  std::byte* shared(int rank) const;
  /// Counts what ranks do with their blocks; the same on all of them.
  std::int64_t next_turn();
  /// Waits, in shared memory, until all ranks are here, and what they wrote to their blocks is seen.
  void meet();

  /// Memory of the communicator until the next request of the same number, at least so large.
  std::byte* memory(int number, std::size_t bytes);
  /// The same, where the rank computes.
  std::byte* memory_here(int number, std::size_t bytes);

 private:
  Communicator::Impl& impl_;
  RanksCall call_;
};

}  // namespace detail

}  // namespace tandem
