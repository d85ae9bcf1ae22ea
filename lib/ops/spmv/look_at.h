#pragma once
// Looking at arrays from the host.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tandem/array.h"

namespace tandem::detail {

/// Calls look(first, values) for the elements of an array, a part at a time; `first` is the number of its first one.
template <class T, class Look>
void look_at(Context& ctx, View<const T> array, Look look) {
  constexpr std::int64_t kPart = 1 << 20;
  std::vector<T> part;
  for (std::int64_t first = 0; first < array.size; first += kPart) {
    part.resize(static_cast<std::size_t>(std::min(kPart, array.size - first)));
    ctx.copy(part.data(), array.data + first, part.size() * sizeof(T));
    ctx.synchronize();
    look(first, part);
  }
}

}  // namespace tandem::detail
