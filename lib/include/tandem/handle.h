#pragma once
// Shared ownership of objects that only the library can see into.

#include <utility>

#include "tandem/export.h"

namespace tandem::detail {

/// Shared ownership of an object whose type only the library knows: copies are cheap, and threads may share
/// them.
class TANDEM_API Handle {
 public:
  Handle(const Handle& other);
  Handle(Handle&& other) noexcept : owner_(std::exchange(other.owner_, nullptr)) {}
  Handle& operator=(Handle other) noexcept {
    std::swap(owner_, other.owner_);
    return *this;
  }
  ~Handle();

  struct Owner;  // lib/core/owner.h
  explicit Handle(Owner* owner) : owner_(owner) {}
  void* get() const;

 private:
  Owner* owner_;
};

}  // namespace tandem::detail
