#pragma once
// What moves the memory of GPUs between the ranks of one communicator: NCCL, on the stream of the rank's context. Nothing
// here waits for the GPU; the rank's Board is told what is under way, so that ranks that are waited for in vain are noticed.

#include <cstdint>
#include <memory>
#include <vector>

#include "lib/core/backend.h"
#include "lib/dist/nccl.h"
#include "tandem/array.h"
#include "tandem/communicator.h"

namespace tandem {

class GpuLink {
 public:
  /// Made by all ranks; id is rank 0's. May wait for them.
  GpuLink(Context& ctx, const NcclId& id, int rank, int size);
  /// On the caller's ncclComm_t, which stays the caller's. InvalidArgument where it is not of this rank and size.
  GpuLink(Context& ctx, Nccl::Comm comm, int rank, int size);
  GpuLink(const GpuLink&) = delete;
  ~GpuLink();

  /// Sends and receives, all at once: pieces between two ranks meet in the order in which they stand, and have one length.
  void deliver(const std::vector<detail::Parcel>& sent, const std::vector<detail::Parcel>& received);
  /// NCCL's own sums and the like. It must have the type and the operator.
  void all_reduce(const void* in, void* out, std::int64_t n, const CaseId& id);
  /// Memory of the GPU until the next request of the same number, at least so large.
  std::byte* memory(int number, std::size_t bytes);
  Nccl::Comm handle() const { return comm_; }
  /// Tells the Board that what was queued so far waits for other ranks.
  void mark();

 private:
  void check(int code) const;
  template <class Work>
  void on_device(const Work& work);
  void destroy() noexcept;

  Context& ctx_;
  const Nccl& nccl_;
  const int rank_;
  Nccl::Comm comm_ = nullptr;
  const bool owns_;
  std::vector<detail::Buffer> memory_;
  std::vector<std::size_t> bytes_;
};

}  // namespace tandem
