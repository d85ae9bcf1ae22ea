#include "lib/core/owner.h"

#include "tandem/error.h"

namespace tandem::detail {

Handle::Handle(const Handle& other)
    : owner_(translated([&] { return other.owner_ ? new Owner(*other.owner_) : nullptr; })) {}
Handle::~Handle() { delete owner_; }
void* Handle::get() const {
  if (!owner_) throw InvalidArgument("posting lists or queries: were moved from; assign them new ones");
  return owner_->object.get();
}

}  // namespace tandem::detail
