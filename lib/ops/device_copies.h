#pragma once
// What is loaded once and copied to each device that asks for it: posting lists.

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "lib/core/context.h"

namespace tandem {

/// Copies, one for each backend, kept until nothing else uses that backend. `Arrays` is made of kArrays arrays in the
/// memory of a context. Threads may share it.
template <class Arrays>
class DeviceCopies {
 public:
  /// The copy in the memory of a context, made by make() for the first call.
  template <class Make>
  const Arrays& of(const Context& ctx, Make make) {
    const std::lock_guard lock(mutex_);
    std::erase_if(copies_, [](const Copy& copy) { return copy.backend.use_count() == 1 + Arrays::kArrays; });
    const auto found = std::find_if(copies_.begin(), copies_.end(),
                                    [&](const Copy& copy) { return copy.backend == ctx.backend(); });
    if (found != copies_.end()) return *found->arrays;
    copies_.push_back({ctx.backend(), std::make_unique<Arrays>(make())});
    return *copies_.back().arrays;
  }

 private:
  struct Copy {
    std::shared_ptr<Backend> backend;
    std::unique_ptr<Arrays> arrays;
  };
  std::mutex mutex_;
  std::vector<Copy> copies_;
};

}  // namespace tandem
