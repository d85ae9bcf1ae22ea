#pragma once
// What is loaded once and copied to each device that asks for it: posting lists.

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "lib/core/context_impl.h"

namespace tandem {

/// Copies, one for each context that asked, each until the first call after the context has ended. `Arrays`
/// is made of arrays in the memory of a context. Threads may share it.
template <class Arrays>
class DeviceCopies {
 public:
  /// The copy in the memory of a context, made by make() for the first call.
  template <class Make>
  const Arrays& of(const Context& ctx, Make make) {
    const std::lock_guard lock(mutex_);
    std::erase_if(copies_, [](const Copy& copy) { return copy.context.expired(); });
    const auto found = std::find_if(copies_.begin(), copies_.end(),
                                    [&](const Copy& copy) { return copy.context.lock() == ctx.impl().life; });
    if (found != copies_.end()) return *found->arrays;
    copies_.push_back({ctx.impl().life, std::make_unique<Arrays>(make())});
    return *copies_.back().arrays;
  }

 private:
  struct Copy {
    std::weak_ptr<const void> context;
    std::unique_ptr<Arrays> arrays;
  };
  std::mutex mutex_;
  std::vector<Copy> copies_;
};

}  // namespace tandem
