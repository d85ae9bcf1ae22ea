// all_reduce over ranks: its arguments, its paths, and MPI's own.

#include "tandem/ranks/all_reduce.h"

#include <fmt/format.h>

#include <climits>

#include "lib/core/require.h"
#include "lib/dist/communicator_impl.h"
#include "lib/dist/parts.h"
#include "tandem/ranks.h"

namespace tandem::detail {
namespace {

constexpr const char* kName = "all_reduce";

std::string name(AllReducePath path) {
  return ranks_paths(RankCall::all_reduce)[static_cast<std::size_t>(path)];
}

/// What MPI lacks of a call; empty where it has all.
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
  return id.type == Type::f16 || id.type == Type::bf16
             ? fmt::format("the element type {}", tandem::name(id.type))
             : "";
}

}  // namespace

AllReducePath all_reduce_path(const RanksScope& scope, const CaseId& id, std::int64_t bytes,
                              const Options& options) {
  if (options.bits == Bits::portable) {
    throw InvalidArgument(
        fmt::format("{} over ranks: bits is portable; it adds up in rank order and rounds, so other numbers "
                    "of ranks may give others",
                    kName));
  }
  if (options.use.empty()) {
    if (scope.is_one_node()) return AllReducePath::shared;
    return bytes <= kFewBytes ? AllReducePath::gather : AllReducePath::two_shot;
  }
  const auto path = static_cast<AllReducePath>(path_named(RankCall::all_reduce, options.use));
  if (path == AllReducePath::shared && !scope.is_one_node()) throw_no_shared_memory();
  if (path == AllReducePath::gather && bytes > INT_MAX)
    throw Unavailable(fmt::format("{}: MPI counts {} bytes in 32 bits", name(path), bytes));
  if (const std::string what = lacks(id); path == AllReducePath::mpi && !what.empty())
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
