// all_reduce over ranks: its arguments, its paths, and MPI's own.

#include "tandem/ranks/all_reduce.h"

#include <fmt/format.h>

#include <climits>
#include <optional>

#include "lib/core/require.h"
#include "lib/dist/communicator_impl.h"
#include "lib/dist/parts.h"
#include "lib/dist/peers.h"
#include "tandem/ranks.h"

namespace tandem::detail {
namespace {

constexpr const char* kName = "all_reduce";

std::string name(AllReducePath path) {
  return ranks_paths(RankCall::all_reduce)[static_cast<std::size_t>(path)];
}

/// What MPI and NCCL lack of a call; empty where they have all.
std::string lacks(const CaseId& id) {
  switch (id.op) {
    case OperatorId::plus:
    case OperatorId::multiplies:
    case OperatorId::minimum:
    case OperatorId::maximum:
      break;
    case OperatorId::none:
      return "an operator of your own";
    default:
      return "logical operators of any numbers";
  }
  return "";
}
bool is_narrow(const CaseId& id) { return id.type == Type::f16 || id.type == Type::bf16; }

/// The kernel that stores into the other GPUs' memory, of a path that has one.
std::optional<PeerStep> peer_step(AllReducePath path) {
  switch (path) {
    case AllReducePath::one_shot:
      return PeerStep::one_shot;
    case AllReducePath::two_shot:
      return PeerStep::two_shot;
    case AllReducePath::flag_in_word:
      return PeerStep::flag_in_word;
    default:
      return {};
  }
}

bool nccl_takes(const CaseId& id) {
  const bool extreme = id.op == OperatorId::minimum || id.op == OperatorId::maximum;
  return lacks(id).empty() && !is_narrow(id) && !(extreme && is_floating(id.type));
}

/// Of ranks on GPUs.
AllReducePath device_path(const RanksScope& scope, const CaseId& id, std::int64_t bytes,
                          const Options& options) {
  constexpr std::int64_t kFew = 1 << 16;  // to every rank
  const std::string lacking = lacks(id);
  if (options.use.empty()) {
    // Bytes that a rank stores into the others' memory, up to which that was the fastest on two H200s.
    constexpr std::int64_t kMostInWords = 1 << 19, kMostAtOnce = 1 << 24;
    const std::int64_t stored = bytes * (scope.size() - 1);
    if (scope.size() > 1 && scope.is_one_node() && has_peer_kernel(id) && stored <= kMostAtOnce)
      return stored <= kMostInWords ? AllReducePath::flag_in_word : AllReducePath::one_shot;
    if (nccl_takes(id)) return AllReducePath::nccl;
    return bytes <= kFew ? AllReducePath::gather : AllReducePath::two_shot;
  }
  const auto path = static_cast<AllReducePath>(path_named(RankCall::all_reduce, options.use));
  if (path == AllReducePath::shared || path == AllReducePath::mpi)
    throw Unavailable(name(path) + ": the ranks compute on GPUs, whose memory it does not reach");
  if (path == AllReducePath::nccl && !lacking.empty())
    throw Unavailable(fmt::format("{}: NCCL does not take {}", name(path), lacking));
  if (path != AllReducePath::two_shot && peer_step(path) && !has_peer_kernel(id))
    throw Unavailable(fmt::format("{}: has no kernel for {}", name(path), id.str()));
  return path;
}

/// How a path of ranks on GPUs shares n elements out: each rank folds `each` of them, or as many as are left.
struct Shares {
  std::int64_t n, each;
  Shares(std::int64_t n, int ranks) : n(n), each((n + ranks - 1) / ranks) {}
  std::int64_t begin(int r) const { return std::min(r * each, n); }
  std::int64_t length(int r) const { return begin(r + 1) - begin(r); }
};
enum Memories { kParts = 0, kFolded = 1 };

}  // namespace

AllReducePath all_reduce_path(const RanksScope& scope, const CaseId& id, std::int64_t bytes,
                              const Options& options) {
  if (options.bits == Bits::portable) {
    throw InvalidArgument(
        fmt::format("{} over ranks: bits is portable; it adds up in rank order and rounds, so other numbers "
                    "of ranks may give others",
                    kName));
  }
  return scope.on_device() ? device_path(scope, id, bytes, options)
                           : all_reduce_host_path(scope, id, bytes, options);
}

AllReducePath all_reduce_host_path(const RanksScope& scope, const CaseId& id, std::int64_t bytes,
                                   const Options& options) {
  if (options.use.empty()) {
    if (scope.is_one_node()) return AllReducePath::shared;
    return bytes <= kFewBytes ? AllReducePath::gather : AllReducePath::two_shot;
  }
  const auto path = static_cast<AllReducePath>(path_named(RankCall::all_reduce, options.use));
  if (path == AllReducePath::nccl)
    throw Unavailable(name(path) + ": the ranks compute on the host, and NCCL moves memory of GPUs");
  if (path != AllReducePath::two_shot && peer_step(path))
    throw Unavailable(name(path) +
                      ": the ranks compute on the host, and its kernels store into memory of GPUs");
  if (path == AllReducePath::shared && !scope.is_one_node()) throw_no_shared_memory();
  if (path == AllReducePath::gather && bytes > INT_MAX)
    throw Unavailable(fmt::format("{}: MPI counts {} bytes in 32 bits", name(path), bytes));
  std::string what = lacks(id);
  if (what.empty() && is_narrow(id)) what = fmt::format("the element type {}", tandem::name(id.type));
  if (path == AllReducePath::mpi && !what.empty())
    throw Unavailable(fmt::format("{}: MPI does not take {}", name(path), what));
  return path;
}

void throw_no_shared_memory() {
  throw Unavailable(name(AllReducePath::shared) +
                    ": the ranks have no memory in common, as those of several nodes, or of containers that "
                    "may not look into each other");
}

void check_all_reduce(Context& ctx, const AnyArray& in, const AnyArray& out, bool may_be_in_place) {
  require::array(ctx, kName, "in", in.data, in.size, in.element_bytes, in.alignment);
  require::array(ctx, kName, "out", out.data, out.size, out.element_bytes, out.alignment);
  require::same_size(kName, in.size, out.size);
  const auto n = static_cast<std::size_t>(in.size);
  require::overlap(kName, in.data, n * in.element_bytes, out.data, n * out.element_bytes, may_be_in_place);
}

void reserve_on_device(RanksScope& scope, AllReducePath path, const CaseId& id, std::int64_t n,
                       std::size_t in_bytes, std::size_t out_bytes, const DeviceFold& fold) {
  if (path == AllReducePath::nccl || path == AllReducePath::one_shot || path == AllReducePath::flag_in_word)
    return;
  if (id.op == OperatorId::none && !fold.op)
    throw Unavailable(
        "all_reduce: the ranks compute on GPUs, but this program has an operator of its own for the host "
        "alone; include "
        "<tandem/functors.cuh> and compile with nvcc");
  if (id.op != OperatorId::none && !kernels_for(scope.context()).fold)
    throw Unavailable(name(path) + ": this build has no kernels for it");
  const Shares shares(n, scope.size());
  const std::int64_t parts = path == AllReducePath::gather ? n : shares.each;
  scope.memory_here(kParts, static_cast<std::size_t>(parts * scope.size()) * in_bytes);
  if (path == AllReducePath::two_shot)
    scope.memory_here(kFolded, static_cast<std::size_t>(shares.each) * out_bytes);
}

void all_reduce_on_device(RanksScope& scope, AllReducePath path, bool by_name, const CaseId& id,
                          const void* in, void* out, std::int64_t n, std::size_t in_bytes,
                          std::size_t out_bytes, const DeviceFold& fold) {
  if (path == AllReducePath::nccl) return scope.all_reduce_by_nccl(in, out, n, id);
  if (const auto step = peer_step(path); step && has_peer_kernel(id)) {
    try {
      return scope.all_reduce_by_peers(static_cast<int>(*step), in, out, n, id);
    } catch (const Unavailable&) {  // on all ranks alike
      if (by_name && path != AllReducePath::two_shot) throw;
      if (!by_name && nccl_takes(id)) return scope.all_reduce_by_nccl(in, out, n, id);
      path = AllReducePath::two_shot;
    }
  }
  if (n == 0) return;
  Context& ctx = scope.context();
  const int ranks = scope.size(), me = scope.rank();
  const auto in_size = static_cast<std::int64_t>(in_bytes), out_size = static_cast<std::int64_t>(out_bytes);
  auto* const from = static_cast<std::byte*>(const_cast<void*>(in));
  auto* const to = static_cast<std::byte*>(out);
  const auto run_fold = [&](const FoldParts& parts) {
    if (id.op == OperatorId::none)
      fold.run(fold.op, ctx, parts);
    else
      kernels_for(ctx).fold(ctx, id, parts);
  };
  const bool everything = path == AllReducePath::gather;
  const Shares shares(n, everything ? 1 : ranks);
  const auto share_of = [&](int r) { return everything ? 0 : r; };
  const std::int64_t mine = shares.length(share_of(me)), first = shares.begin(share_of(me));
  std::byte* const parts =
      scope.memory_here(kParts, static_cast<std::size_t>(shares.each * ranks) * in_bytes);
  std::vector<Parcel> sent, received;
  for (int r = 0; r < ranks; ++r) {
    const int share = share_of(r);
    sent.push_back({r, from + shares.begin(share) * in_size, shares.length(share) * in_size});
    received.push_back({r, parts + r * mine * in_size, mine * in_size});
  }
  scope.deliver(sent, received);
  if (everything) return run_fold({parts, n, ranks, n, 0, out});
  std::byte* const folded = scope.memory_here(kFolded, static_cast<std::size_t>(shares.each) * out_bytes);
  if (mine > 0) run_fold({parts, mine, ranks, mine, first, folded});
  sent.clear(), received.clear();
  for (int r = 0; r < ranks; ++r) {
    sent.push_back({r, folded, mine * out_size});
    received.push_back({r, to + shares.begin(r) * out_size, shares.length(r) * out_size});
  }
  scope.deliver(sent, received);
}

void RanksScope::all_reduce_by_mpi(const void* in, void* out, std::int64_t n, const CaseId& id) {
  constexpr std::int64_t kMost = 1 << 30;  // elements; MPI counts in 32 bits
  const auto size = static_cast<std::int64_t>(size_of(id.type));
  for (std::int64_t begin = 0; begin < n; begin += kMost) {
    const auto count = static_cast<int>(std::min(kMost, n - begin));
    impl_.check(impl_.message([&] {
      return impl_.engine.all_reduce(impl_.comm, static_cast<const std::byte*>(in) + begin * size,
                                     static_cast<std::byte*>(out) + begin * size, count, id.type, id.op);
    }),
                call_.call);
  }
}

}  // namespace tandem::detail
