#pragma once
// reverse: out[i] = in[n−1−i].

#include "tandem/array.h"
#include "tandem/options.h"
#include "tandem/types.h"

namespace tandem {

namespace detail {
TANDEM_API void reverse(Context& ctx, Type type, ConstMemory in, Memory out, const Options& options);
}  // namespace detail

/// out[i] = in[n−1−i] in the memory of the context, without waiting for it.
///
/// in: n elements, float or int32; out: as many; must not overlap in. Elements are moved bit for bit.
/// n = 0 writes nothing. O(n) work, one read and one write of each element; allocates nothing.
/// Throws InvalidArgument (sizes differ, null pointers, host memory in a device context, overlap, unknown
/// options.use), Unavailable (options.use cannot run here), DeviceError.
/// Source:  ISO C++20, [alg.reverse] (std::reverse_copy).
template <Viewable In, Viewable Out>
void reverse(Context& ctx, const In& in, Out&& out, const Options& options = {}) {
  using T = element_of<const In>;
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, std::int32_t>, "reverse takes float and int32");
  static_assert(std::is_same_v<element_of<Out>, T>, "reverse: out must hold the type of in");
  detail::reverse(ctx, type_of<T>, {view(in).data, view(in).size}, {view(out).data, view(out).size}, options);
}

}  // namespace tandem
