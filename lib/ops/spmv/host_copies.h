#pragma once
// Arrays of sparse matrices, copied to host memory.

#include <vector>

#include "tandem/array.h"
#include "tandem/types.h"

namespace tandem::detail {

/// A copy, behind what the context has been asked to do; there once it synchronizes.
template <class T>
std::vector<T> copied(Context& ctx, const T* data, std::int64_t size) {
  std::vector<T> all(static_cast<std::size_t>(size));
  if (size > 0) ctx.copy(all.data(), data, all.size() * sizeof(T));
  return all;
}
/// Floats or doubles; waits for them.
inline std::vector<double> copied_values(Context& ctx, ConstMemory values, Type type) {
  const auto of = [&]<class T>(const T* data) {
    const std::vector<T> all = copied(ctx, data, values.size);
    ctx.synchronize();
    return std::vector<double>(all.begin(), all.end());
  };
  return type == Type::f32 ? of(static_cast<const float*>(values.data))
                           : of(static_cast<const double*>(values.data));
}

}  // namespace tandem::detail
