#pragma once
// A call as a caller sees it whose data lies in the CPU's memory: copies there, the call, copies back.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lib/harness/operation.h"

namespace tandem {

/// Seconds of the parts of a call from end to end.
struct Phases {
  double there = 0, call = 0, back = 0;
  double all() const { return there + call + back; }
};

class TANDEM_API EndToEnd {
 public:
  /// So many bytes of the CPU's memory, of the kind from and to which is copied.
  using HostMemory = std::function<std::shared_ptr<std::byte[]>(std::size_t bytes)>;

  /// The inputs of a problem lie in the CPU's memory from now on. O(size).
  EndToEnd(Context& ctx, Problem& problem, const HostMemory& host_memory);
  /// Queues the copies of all inputs, and those of all results.
  void there();
  void back();
  /// Seconds of a whole call that is waited for once, by the CPU's clock.
  double seconds(const std::function<void()>& call);
  /// The same with a wait behind each part.
  Phases phases(const std::function<void()>& call);

 private:
  struct Copied {
    Transfer transfer;
    std::shared_ptr<std::byte[]> here;
  };
  Context& ctx_;
  std::vector<Copied> all_;
};

/// The least seconds on both places at one size.
struct BothPlaces {
  std::string size;
  double host, device;
};
/// From which size on the GPU is faster than the CPU, of one or more sizes, smaller ones first: "the GPU overtakes the
/// CPU at n = 4M; GPU 2.31 x as fast at n = 64M".
TANDEM_API std::string crossing(std::span<const BothPlaces> sizes);

}  // namespace tandem
