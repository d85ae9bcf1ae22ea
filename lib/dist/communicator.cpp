#include "tandem/communicator.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <utility>

#include "lib/core/context_impl.h"
#include "lib/dist/communicator_impl.h"
#include "lib/dist/peers.h"
#include "tandem/ranks.h"

namespace tandem {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && std::string_view(value) == "1";
}

/// The same number for processes that can reach each other's memory: of one running system, and one numbering of processes.
std::uint64_t this_node() {
  std::string text;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), text);
  struct stat numbering;
  if (stat("/proc/self/ns/pid", &numbering) == 0) text += std::to_string(numbering.st_ino);
  return std::hash<std::string>()(text);
}

void require_success(const Engine& engine, int code, const std::string& what) {
  if (code == 0) return;
  char text[256];
  engine.describe(code, text, sizeof text);
  throw CommunicationError(code, fmt::format("{}MPI failed with error {}: {}", what, code, text));
}

bool watches() {
  const char* value = std::getenv("TANDEM_WATCHDOG");
  return !value || std::string_view(value) != "0";
}

/// Tests run what ranks do on GPUs without one: on the executor, in the memory of the host, with an NCCL of their own.
bool on_executor() { return is_set("TANDEM_RANKS_ON_EXECUTOR"); }
bool computes_on_device(const Context& ctx) { return ctx.place() != Place::host || on_executor(); }

/// What tells a GPU from all others, in a form that travels.
std::array<char, 16> unit_of(Context& ctx) {
  std::array<char, 16> unit{};
  const std::string text = on_executor() ? std::to_string(getpid()) : backend(ctx).unit();
  std::copy_n(text.begin(), std::min(text.size(), unit.size()), unit.begin());
  return unit;
}

/// A copy of the communicator that which(engine, &comm) gives once the engine has started.
template <class Which>
Communicator::Impl* copy_of(Context& ctx, const Which& which, Nccl::Comm nccl = nullptr) {
  const Engine& engine = mpi_engine();
  std::optional<Watch::Starting> starting;
  if (watches()) starting.emplace(Watch::of_process(engine));
  const auto require = [&](int code) { require_success(engine, code, "Communicator: "); };
  int comm, copy;
  require(engine.start());
  require(which(engine, &comm));
  require(engine.duplicate(comm, &copy));
  return new Communicator::Impl(ctx, engine, copy, nccl);
}

}  // namespace

const char* name(RankCall call) {
  switch (call) {
    case RankCall::start:
      return "the start of a communicator";
    case RankCall::barrier:
      return "barrier";
    case RankCall::split:
      return "split";
    case RankCall::all_reduce:
      return "all_reduce";
    case RankCall::reduce:
      return "reduce";
    case RankCall::inclusive_scan:
      return "inclusive_scan";
    case RankCall::exclusive_scan:
      return "exclusive_scan";
    case RankCall::transpose:
      return "transpose";
    case RankCall::gemm:
      return "gemm";
    case RankCall::tridiagonal:
      return "tridiagonal";
    case RankCall::intersect:
      return "intersect";
    case RankCall::halos:
      return "halos";
    case RankCall::end:
      return "the end of the program";
  }
  return "?";
}

const std::vector<std::string>& ranks_paths(RankCall call) {
  static const std::vector<std::string> all_reduce{
      "all_reduce/custom/gather",      "all_reduce/custom/two_shot", "all_reduce/custom/shared",
      "all_reduce/vendor/mpi",         "all_reduce/vendor/nccl",     "all_reduce/custom/one_shot",
      "all_reduce/custom/flag_in_word"},
      tridiagonal{"tridiagonal/custom/split", "tridiagonal/custom/neighbour",
                  "tridiagonal/custom/transposed"},
      none;
  return call == RankCall::all_reduce ? all_reduce : call == RankCall::tridiagonal ? tridiagonal : none;
}

// --- a communicator

Communicator::Impl::Impl(Context& ctx, const Engine& engine, int comm, Nccl::Comm nccl)
    : ctx(ctx), engine(engine), comm(comm) {
  struct Hello {
    std::uint64_t node;
    pid_t pid;
    bool on_device, checks, watches;
    std::array<char, 16> unit;
  };
  check(engine.place(comm, &rank, &size), RankCall::start);
  const Hello mine{this_node(), getpid(),    computes_on_device(ctx), is_set("TANDEM_CHECK_RANKS"),
                   watches(),   unit_of(ctx)};
  const auto all = gathered(RankCall::start, mine);
  bool watched = true;
  for (std::size_t r = 0; r < all.size(); ++r) {
    const int number = static_cast<int>(r);
    if (all[r].on_device != all[0].on_device)
      throw RanksDiffer(number, fmt::format("{}rank {} computes on {}, rank 0 on {}", prefix(RankCall::start),
                                            r, all[r].on_device ? "a GPU" : "the host",
                                            all[0].on_device ? "a GPU" : "the host"));
    for (std::size_t other = 0; other < r && mine.on_device; ++other) {
      if (all[other].unit == all[r].unit)
        throw InvalidArgument(
            fmt::format("{}ranks {} and {} have one GPU; each needs its own: start no more ranks on a node "
                        "than it has GPUs, and make "
                        "contexts by local_device()",
                        prefix(RankCall::start), other, r));
    }
    checks |= all[r].checks;
    watched &= all[r].watches;
    pids.push_back(all[r].node == mine.node ? all[r].pid : 0);
  }
  if (watched) make_board(Watch::of_process(engine), mine.on_device ? ctx.impl().backend : nullptr);
  if (mine.on_device) make_link(nccl);
}

/// What a rank throws is thrown there, and RankFailed on the others, before anybody waits for it.
void Communicator::Impl::make_link(Nccl::Comm callers) {
  struct Ready {
    bool there;
    NcclId id;
  };
  const auto together = [&](const auto& work) {
    Ready mine{};
    std::exception_ptr thrown;
    try {
      work(mine);
      mine.there = true;
    } catch (...) {
      thrown = std::current_exception();
    }
    const auto all = gathered(RankCall::start, mine);
    if (thrown) std::rethrow_exception(thrown);
    for (int r = 0; r < size; ++r) {
      if (!all[static_cast<std::size_t>(r)].there)
        throw RankFailed(r,
                         fmt::format("{}rank {} cannot use its GPU with others", prefix(RankCall::start), r));
    }
    return all[0].id;
  };
  const NcclId id = together([&](Ready& mine) {
    const Nccl& functions = nccl();
    if (callers)
      gpu = std::make_unique<GpuLink>(ctx, callers, rank, size);
    else if (rank == 0 && functions.GetUniqueId(&mine.id) != 0)
      throw Unavailable(prefix(RankCall::start) +
                        "NCCL gives no id for a communicator; NCCL_DEBUG=WARN tells why");
  });
  if (callers) return;
  message([&] { gpu = std::make_unique<GpuLink>(ctx, id, rank, size); });
}

void Communicator::Impl::make_board(Watch& watch, std::shared_ptr<Backend> device) {
  const std::size_t bytes = Board::bytes(size);
  const auto leader = static_cast<std::size_t>(
      std::find_if(pids.begin(), pids.end(), [](pid_t pid) { return pid != 0; }) - pids.begin());
  const bool leads = leader == static_cast<std::size_t>(rank);
  auto shared = leads ? std::make_unique<SharedMemory>(bytes) : nullptr;
  const auto descriptors = gathered(RankCall::start, shared ? shared->descriptor() : -1);
  if (!leads) shared = std::make_unique<SharedMemory>(pids[leader], descriptors[leader], bytes);
  const auto have = gathered(RankCall::start, shared->data() ? 1 : 0);
  if (std::find(have.begin(), have.end(), 0) != have.end()) return;
  board = std::make_shared<Board>(std::move(shared), rank, pids, std::move(device));
  watch.add(board);
}

Communicator::Impl::~Impl() {
  if (getpid() != process) return;  // a child of fork() is no rank
  if (board) board->leave();
  gpu.reset();
  engine.release(comm);
}

std::string Communicator::Impl::prefix(RankCall call) const {
  return fmt::format("{} over {} ranks: ", name(call), size);
}

void Communicator::Impl::check(int code, RankCall call) const {
  if (code) require_success(engine, code, prefix(call));
}

void Communicator::Impl::all_gather(RankCall call, const void* part, void* all, std::int64_t bytes) {
  if (bytes > INT_MAX)
    throw InvalidArgument(fmt::format("{}{} bytes of a rank are too many for MPI", prefix(call), bytes));
  check(message([&] { return engine.all_gather(comm, part, all, static_cast<int>(bytes)); }), call);
}

Communicator::Communicator(Communicator&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}
Communicator& Communicator::operator=(Communicator&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}
Communicator::~Communicator() { delete impl_; }

Communicator::Impl& Communicator::impl() const {
  if (!impl_) throw InvalidArgument("Communicator: was moved from; assign it a new one before it is used");
  return *impl_;
}

Communicator Communicator::mpi(Context& ctx) {
  return detail::translated([&] {
    return Communicator(copy_of(ctx, [](const Engine& engine, int* world) { return engine.world(world); }));
  });
}

Communicator Communicator::adopt_mpi(Context& ctx, int comm) {
  return detail::translated([&] {
    const auto callers = [&](const Engine&, int* which) {
      *which = comm;
      return 0;
    };
    return Communicator(copy_of(ctx, callers));
  });
}

Communicator Communicator::adopt_nccl(Context& ctx, void* nccl, int comm) {
  return detail::translated([&] {
    const auto callers = [&](const Engine&, int* which) {
      *which = comm;
      return 0;
    };
    if (!computes_on_device(ctx) || !nccl)
      throw InvalidArgument(
          fmt::format("Communicator::adopt_nccl: {}",
                      nccl ? "the context computes on the host; it must be of a GPU" : "'nccl' is null"));
    return Communicator(copy_of(ctx, callers, nccl));
  });
}

int local_rank() {
  for (const char* variable :
       {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_LOCAL_RANK", "SLURM_LOCALID"}) {
    if (const char* text = std::getenv(variable)) return std::max(0, std::atoi(text));
  }
  return 0;
}
Context local_device() {
  return detail::translated([] { return Context::device(take_device(local_rank())); });
}

int Communicator::rank() const { return impl().rank; }
int Communicator::size() const { return impl().size; }
int Communicator::native_handle() const { return impl().comm; }
void* Communicator::nccl_handle() const { return impl().gpu ? impl().gpu->handle() : nullptr; }
Context& Communicator::context() const { return impl().ctx; }

Communicator Communicator::split(int colour, int key) {
  return detail::translated([&] {
    detail::RanksScope scope(*this, {RankCall::split});
    scope.agree(colour < 0);
    if (colour < 0)
      throw InvalidArgument(
          fmt::format("{}colour is {}; it must be at least 0", impl().prefix(RankCall::split), colour));
    return impl().message([&] {
      int part;
      impl().check(impl().engine.split(impl().comm, colour, key, &part), RankCall::split);
      return Communicator(new Impl(impl().ctx, impl().engine, part));
    });
  });
}

void Communicator::barrier() {
  detail::translated([&] {
    const detail::RanksScope scope(*this, {RankCall::barrier});
    impl().check(impl().message([&] { return impl().engine.barrier(impl().comm); }), RankCall::barrier);
  });
}

// --- a call

namespace detail {
namespace {

/// A call as it travels to the other ranks.
struct Told {
  RanksCall call;     // without the text, which means nothing there
  std::uint64_t own;  // 0: an operator of Tandem's, or none
  bool failed;

  bool is_same(const Told& other) const {
    // A rank that failed may not have come to its path.
    return call.call == other.call.call && call.id == other.call.id && call.sizes == other.call.sizes &&
           own == other.own && (call.path == other.call.path || failed || other.failed);
  }
  std::string str(bool with_path) const {
    std::string sizes;
    for (const std::int64_t size : call.sizes)
      if (size >= 0) sizes += fmt::format("{}{}", sizes.empty() ? " of " : " x ", size);
    return fmt::format(
        "{}{}{}{}{}{}", name(call.call), own ? " with an operator of its own" : "",
        call.id.op == OperatorId::none && sizes.empty() ? "" : fmt::format(" {}", call.id.str()), sizes,
        sizes.empty() ? "" : " elements",
        !with_path || call.path < 0 ? ""
                                    : " by " + ranks_paths(call.call)[static_cast<std::size_t>(call.path)]);
  }
};

}  // namespace

RanksScope::RanksScope(Communicator& all, const RanksCall& call) : impl_(all.impl()), call_(call) {
  ++impl_.calls;
  if (impl_.board) impl_.board->enter(call.call, impl_.calls);
  if (!impl_.checks) return;
  try {
    agree(false);
  } catch (...) {
    if (impl_.board) impl_.board->leave_call();
    throw;
  }
}

RanksScope::~RanksScope() {
  if (impl_.board) impl_.board->leave_call();
}

int RanksScope::rank() const { return impl_.rank; }
int RanksScope::size() const { return impl_.size; }
Context& RanksScope::context() const { return impl_.ctx; }

bool RanksScope::on_device() const { return impl_.gpu != nullptr; }
void RanksScope::refuse_device(const char* what) const {
  if (on_device())
    throw Unavailable(fmt::format("{}{}: ranks on GPUs cannot do that yet", impl_.prefix(call_.call), what));
}

void RanksScope::deliver(const std::vector<Parcel>& sent, const std::vector<Parcel>& received) {
  impl_.message([&] { impl_.gpu->deliver(sent, received); });
}
const Peers& RanksScope::peers() {
  if (!impl_.no_peers.empty()) throw Unavailable(impl_.no_peers);
  try {
    if (!impl_.peers) impl_.peers = std::make_unique<PeerMemory>(impl_, impl_.ctx);
  } catch (const Unavailable& e) {
    impl_.no_peers = e.what();
    throw;
  }
  return impl_.peers->peers();
}
void RanksScope::all_reduce_by_peers(int step, const void* in, void* out, std::int64_t n, const CaseId& id) {
  const Peers& all = peers();
  impl_.message([&] {
    tandem::all_reduce_by_peers(impl_.ctx, all, static_cast<PeerStep>(step), id, in, out, n);
    impl_.gpu->mark();
  });
}
void RanksScope::all_reduce_by_nccl(const void* in, void* out, std::int64_t n, const CaseId& id) {
  impl_.message([&] { impl_.gpu->all_reduce(in, out, n, id); });
}

void RanksScope::agree(bool failed) {
  Told mine{call_, call_.own ? std::hash<std::string_view>()(call_.own) | 1 : 0, failed};
  mine.call.own = nullptr;
  const auto all = impl_.gathered(call_.call, mine);
  const Told& usual = most_frequent(all);
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (all[r].is_same(usual)) continue;
    const bool by_path = all[r].call.path != usual.call.path;
    const std::string odd = all[r].str(by_path), rest = usual.str(by_path);
    throw RanksDiffer(static_cast<int>(r),
                      fmt::format("the {} ranks differ: rank {} calls {}, {}", all.size(), r, odd,
                                  odd == rest ? "but another one than others" : "others " + rest));
  }
  const auto other = std::find_if(all.begin(), all.end(), [](const Told& one) { return one.failed; });
  if (other != all.end() && !failed) throw_failed(static_cast<int>(other - all.begin()));
}

void RanksScope::throw_failed(int rank) const {
  throw RankFailed(rank,
                   fmt::format("{}rank {} threw in its part of the call", impl_.prefix(call_.call), rank));
}

void RanksScope::all_gather(const void* part, void* all, std::int64_t bytes) {
  impl_.all_gather(call_.call, part, all, bytes);
}

void RanksScope::all_gather_parts(const void* part, void* all, const int* bytes, const int* at) {
  impl_.check(impl_.message([&] { return impl_.engine.all_gather_parts(impl_.comm, part, all, bytes, at); }),
              call_.call);
}

void RanksScope::all_to_all(const void* from, const int* from_bytes, const int* from_at, void* to,
                            const int* to_bytes, const int* to_at) {
  impl_.check(impl_.message([&] {
    return impl_.engine.all_to_all(impl_.comm, from, from_bytes, from_at, to, to_bytes, to_at);
  }),
              call_.call);
}

std::byte* RanksScope::memory(int number, std::size_t bytes) {
  const auto block = static_cast<std::size_t>(number);
  if (impl_.memory.size() <= block) impl_.memory.resize(block + 1);
  if (impl_.memory[block].size() < bytes) impl_.memory[block].resize(bytes);
  return impl_.memory[block].data();
}

std::byte* RanksScope::memory_here(int number, std::size_t bytes) {
  return on_device() ? impl_.gpu->memory(number, bytes) : memory(number, bytes);
}

}  // namespace detail

RankKernels& rank_kernels(Place place) {
  static RankKernels of_device, of_executor;
  return place == Place::simt ? of_executor : of_device;
}

}  // namespace tandem
