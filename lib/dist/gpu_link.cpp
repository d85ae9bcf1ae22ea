#include "lib/dist/gpu_link.h"

#include <fmt/format.h>

#include <utility>

#include "lib/core/context_impl.h"

namespace tandem {

/// Runs it with the context's GPU current, and marks what it queued.
template <class Work>
void GpuLink::on_device(const Work& work) {
  struct Entered {
    explicit Entered(Backend& backend) : backend(backend) { backend.enter("tandem: between ranks"); }
    Entered(const Entered&) = delete;
    ~Entered() { backend.leave(); }
    Backend& backend;
  };
  const Entered entered(backend(ctx_));
  work();
  backend(ctx_).mark();
}

GpuLink::GpuLink(Context& ctx, const NcclId& id, int rank, int size)
    : ctx_(ctx), nccl_(nccl()), rank_(rank), owns_(true) {
  try {
    on_device([&] { check(nccl_.CommInitRank(&comm_, size, id, rank)); });
  } catch (...) {
    destroy();
    throw;
  }
}

GpuLink::GpuLink(Context& ctx, Nccl::Comm comm, int rank, int size)
    : ctx_(ctx), nccl_(nccl()), rank_(rank), comm_(comm), owns_(false) {
  if (!comm) throw InvalidArgument("Communicator: NCCL's communicator is null");
  int its_rank = 0, its_size = 0;
  check(nccl_.CommUserRank(comm, &its_rank));
  check(nccl_.CommCount(comm, &its_size));
  if (its_rank != rank || its_size != size)
    throw InvalidArgument(
        fmt::format("Communicator: NCCL's communicator has this process as rank {} of {}, MPI's as rank {} "
                    "of {}; they must agree",
                    its_rank, its_size, rank, size));
}

GpuLink::~GpuLink() { destroy(); }

/// Ends NCCL's communicator, if it is this link's, with its GPU current where that can be.
void GpuLink::destroy() noexcept {
  if (!owns_ || !comm_) return;
  const auto end = [&] { nccl_.CommDestroy(std::exchange(comm_, nullptr)); };
  try {
    on_device(end);
  } catch (const Error&) {  // the GPU is lost; nobody is left to tell
    if (comm_) end();
  }
}

void GpuLink::check(int code) const {
  if (code != 0)
    throw CommunicationError(
        code, fmt::format("Communicator: NCCL failed with error {}: {}", code, nccl_.GetErrorString(code)));
}

void GpuLink::deliver(const std::vector<detail::Parcel>& sent, const std::vector<detail::Parcel>& received) {
  // What stays on this rank is copied.
  auto to = received.begin();
  for (const detail::Parcel& from : sent) {
    if (from.rank != rank_) continue;
    while (to->rank != rank_) ++to;
    ctx_.copy(to->data, from.data, static_cast<std::size_t>(from.bytes));
    ++to;
  }
  const auto travels = [&](const detail::Parcel& piece) { return piece.rank != rank_ && piece.bytes > 0; };
  on_device([&] {
    int failed = 0;
    check(nccl_.GroupStart());
    const auto note = [&](int code) { failed = failed ? failed : code; };
    for (const detail::Parcel& p : sent)
      if (travels(p))
        note(nccl_.Send(p.data, static_cast<std::size_t>(p.bytes), kNcclBytes, p.rank, comm_, ctx_.stream()));
    for (const detail::Parcel& p : received)
      if (travels(p))
        note(nccl_.Recv(p.data, static_cast<std::size_t>(p.bytes), kNcclBytes, p.rank, comm_, ctx_.stream()));
    note(nccl_.GroupEnd());
    check(failed);
  });
}

void GpuLink::all_reduce(const void* in, void* out, std::int64_t n, const CaseId& id) {
  if (n == 0) return;
  on_device([&] {
    check(nccl_.AllReduce(in, out, static_cast<std::size_t>(n), nccl_type(id.type), nccl_operator(id.op),
                          comm_, ctx_.stream()));
  });
}

void GpuLink::mark() {
  on_device([] {});
}

std::byte* GpuLink::memory(int number, std::size_t bytes) {
  const auto block = static_cast<std::size_t>(number);
  while (memory_.size() <= block) memory_.emplace_back(ctx_, 0, 1), bytes_.push_back(0);
  if (bytes_[block] < bytes) {
    memory_[block] = detail::Buffer(ctx_, 0, 1);  // the old one first
    bytes_[block] = 0;
    memory_[block] = detail::Buffer(ctx_, static_cast<std::int64_t>(bytes), 1);
    bytes_[block] = bytes;
  }
  return static_cast<std::byte*>(memory_[block].data());
}

}  // namespace tandem
