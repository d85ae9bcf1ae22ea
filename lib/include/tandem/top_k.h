#pragma once
// top_k: the k largest or smallest of n keys, in order, and where they stand.
//
// The result is what a stable sort would put first: of equal keys those at the first positions win, and they stand in
// ascending position. Floating-point keys are ordered as sort orders them: −∞ < … < −0 = +0 < … < ∞ < NaN, whatever a
// NaN's sign and payload. So NaNs are among the largest. Keys keep their bits.

#include <cstdint>
#include <type_traits>

#include "tandem/array.h"
#include "tandem/options.h"
#include "tandem/sort.h"
#include "tandem/types.h"

namespace tandem {

/// Which keys come first: the largest, or the smallest.
enum class Order : std::uint8_t { descending, ascending };

namespace detail {
/// keys_out, positions_out: null where they are not asked for.
TANDEM_API void top_k(Context& ctx, Type type, ConstMemory in, const Memory* keys_out,
                      const Memory* positions_out, Order order, const Options& options);

template <class In, class Keys, class Positions>
void checked_top_k(Context& ctx, const In& in, Keys* keys_out, Positions* positions_out, Order order,
                   const Options& options) {
  using T = element_of<const In>;
  static_assert(sorts<T>, "top_k does not take keys of this type");
  Memory keys{}, positions{};
  if constexpr (!std::is_null_pointer_v<Keys>) {
    static_assert(std::is_same_v<element_of<Keys>, T>, "top_k: keys_out must hold the type of in");
    keys = memory(*keys_out);
  }
  if constexpr (!std::is_null_pointer_v<Positions>) {
    static_assert(std::is_same_v<element_of<Positions>, std::int64_t>,
                  "top_k: positions_out must hold int64");
    positions = memory(*positions_out);
  }
  top_k(ctx, type_of<T>, const_memory(in), keys_out ? &keys : nullptr, positions_out ? &positions : nullptr,
        order, options);
}
inline constexpr std::nullptr_t* kNotAsked = nullptr;
}  // namespace detail

/// keys_out = the first k keys of `in` in the given order, positions_out = where each of them stands in `in`; k is the
/// size of both. Without waiting for the context.
///
/// in: n keys, float, double, int32, int64, uint32 or uint64; keys_out: k of the same type, k at most n;
/// positions_out: as many int64. The arrays must not overlap. Order::descending: the largest first. Among equal keys
/// the first positions win, and stand in ascending position, so the result is the same on every path. O(n + k log k)
/// work; allocates nothing after the first call of a size. k = 0 does nothing. Throws InvalidArgument (k larger than
/// n, sizes of the outputs differ, null pointers, host memory in a device context, overlap, unknown options.use),
/// Unavailable (options.use cannot run here), OutOfMemory, DeviceError.
/// Source:  Zhang, Naruse, Li, Wang 2023, "Parallel top-K algorithms on GPU: a comprehensive study and new methods".
template <Viewable In, Viewable Keys, Viewable Positions>
void top_k(Context& ctx, const In& in, Keys&& keys_out, Positions&& positions_out,
           Order order = Order::descending, const Options& options = {}) {
  detail::checked_top_k(ctx, in, &keys_out, &positions_out, order, options);
}

/// The keys alone. Otherwise as above.
template <Viewable In, Viewable Keys>
void top_k(Context& ctx, const In& in, Keys&& keys_out, Order order = Order::descending,
           const Options& options = {}) {
  detail::checked_top_k(ctx, in, &keys_out, detail::kNotAsked, order, options);
}

/// The positions alone. Otherwise as above.
template <Viewable In, Viewable Positions>
void top_k_positions(Context& ctx, const In& in, Positions&& positions_out, Order order = Order::descending,
                     const Options& options = {}) {
  detail::checked_top_k(ctx, in, detail::kNotAsked, &positions_out, order, options);
}

}  // namespace tandem
