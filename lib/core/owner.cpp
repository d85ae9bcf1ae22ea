#include "lib/core/owner.h"

namespace tandem::detail {

Handle::Handle(const Handle& other) : owner_(other.owner_ ? new Owner(*other.owner_) : nullptr) {}
Handle::~Handle() { delete owner_; }
void* Handle::get() const { return owner_->object.get(); }

}  // namespace tandem::detail
