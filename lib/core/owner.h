#pragma once
// What stands behind a detail::Handle of the public headers.

#include <memory>

#include "tandem/handle.h"

namespace tandem::detail {

struct Handle::Owner {
  std::shared_ptr<void> object;
};

template <class T>
Handle make_handle(std::shared_ptr<T> object) {
  return Handle(new Handle::Owner{std::const_pointer_cast<std::remove_const_t<T>>(std::move(object))});
}

}  // namespace tandem::detail
