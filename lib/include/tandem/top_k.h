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
#include "tandem/own_operators.h"
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
  static_assert(sorts<T>,
                "top_k: in an order of Tandem's, keys are float, double, half, bfloat16 or integers, signed "
                "or not, of 8, 32 "
                "or 64 bits; with a less(x, y) of your own they are of any trivially copyable type");
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
/// in: n keys of any element type (tandem/types.h); keys_out: k of the same type, k at most n;
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

// --- comparisons of the user's own

namespace detail {
/// keys_out, positions_out: null where they are not asked for.
TANDEM_API void check_top_k(Context& ctx, const AnyArray& in, const AnyArray* keys_out,
                            const AnyArray* positions_out);

/// What a call asks for; null: not asked for.
template <class T>
struct FirstKeys {
  std::int64_t k;
  T* keys;
  std::int64_t* positions;
  TANDEM_HD void write(std::int64_t i, const OwnPair<T, std::int64_t>& x) const {
    if (keys) keys[i] = x.key;
    if (positions) positions[i] = x.value;
  }
};

/// As top_k/custom/threads: each thread keeps the first k of a chunk and passes over elements that do not come before its k-th; then
/// those of all chunks are sorted.
template <class T, class Less>
void own_top_k_on_host(Context& ctx, const View<const T>& in, const FirstKeys<T>& first, const Less& less) {
  using Pair = OwnPair<T, std::int64_t>;
  const ByOwnKey<const Less&> before{less};
  const std::int64_t n = in.size, k = first.k;
  if (k == 0) return;
  const std::int64_t chunk = 8 * k > kOwnChunk ? 8 * k : kOwnChunk, chunks = (n + chunk - 1) / chunk;
  const std::int64_t room = 2 * k < n ? 2 * k : n;  // of a chunk's candidates
  Pair* const candidates = ctx.scratch<Pair>(chunks * room);
  Pair* const spare = ctx.scratch<Pair>(chunks * room);
  std::int64_t* const counts = ctx.scratch<std::int64_t>(chunks);
  parallel_for(chunks, {}, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t c = begin; c < end; ++c) {
      Pair* const own = candidates + c * room;
      const std::int64_t last = n - c * chunk < chunk ? n : (c + 1) * chunk;
      std::int64_t count = 0;
      bool full = false;  // the first k of them are the first k so far, in order
      const auto sort_own = [&] {
        own_sort_alone(static_cast<const Pair*>(own), count, own, spare + c * room, before);
        if (count >= k) count = k, full = true;
      };
      for (std::int64_t i = c * chunk; i < last; ++i) {
        if (full && !less(in.data[i], own[k - 1].key)) continue;
        if (count == room) sort_own();
        if (!full || less(in.data[i], own[k - 1].key)) new (own + count++) Pair{in.data[i], i};
      }
      sort_own();
      counts[c] = count;
    }
  });
  std::int64_t count = 0;
  for (std::int64_t c = 0; c < chunks; ++c) {
    for (std::int64_t i = 0; i < counts[c]; ++i) candidates[count++] = candidates[c * room + i];
  }
  if (chunks > 1) own_sort_on_host(ctx, View<const Pair>{candidates, count}, candidates, before);
  for (std::int64_t i = 0; i < k; ++i) first.write(i, candidates[i]);
}

/// Whether an output that may not be asked for holds elements of T.
template <class Out, class T>
constexpr bool holds_or_not_asked() {
  if constexpr (std::is_null_pointer_v<Out>)
    return true;
  else
    return std::is_same_v<element_of<Out>, T>;
}

template <class In, class Keys, class Positions, class Less>
void own_top_k(Context& ctx, const In& in, Keys* keys_out, Positions* positions_out, const Less& less) {
  using T = element_of<const In>;
  using Places = places_of<Less>;
  constexpr bool kLess = orders<T, Less>, kMoves = std::is_trivially_copyable_v<T>;
  constexpr bool kKeys = holds_or_not_asked<Keys, T>(),
                 kPositions = holds_or_not_asked<Positions, std::int64_t>();
  static_assert(kLess, "top_k: less(x, y) must take two elements and say whether x comes before y");
  static_assert(kMoves, "top_k: elements must be trivially copyable");
  static_assert(kKeys, "top_k: keys_out must hold the type of in");
  static_assert(kPositions, "top_k: positions_out must hold int64");
  if constexpr (kLess && kMoves && kKeys && kPositions) {
    const Lending lending(ctx);
    translated([&] {
      FirstKeys<T> first{};
      AnyArray keys{}, positions{};
      if constexpr (!std::is_null_pointer_v<Positions>) {
        positions = any_array(view(*positions_out));
        first.positions = view(*positions_out).data;
        first.k = positions.size;
      }
      if constexpr (!std::is_null_pointer_v<Keys>) {
        keys = any_array(view(*keys_out));
        first.keys = view(*keys_out).data;
        first.k = keys.size;
      }
      check_top_k(ctx, any_array(view(in)), keys_out ? &keys : nullptr, positions_out ? &positions : nullptr);
      const View<const T> elements{view(in).data, view(in).size};
      on_place<Places>(
          ctx, "top_k", [&](auto where) { own_top_k_by_kernel(where, ctx, elements, first, less); },
          [&] {
            const CallScope call(ctx, "top_k/custom/threads", Place::host);
            own_top_k_on_host(ctx, elements, first, less);
          });
    });
  }
}

/// A call's last argument, if it is neither an order nor an array.
template <class Less>
concept OwnOrder =
    OwnLess<Less> && !std::same_as<Less, Order> && !std::is_array_v<Less> && !requires(const Less& less) {
  less.size();
}
&&!requires(const Less& less) { less.size; };
}  // namespace detail

/// keys_out = the first k elements of `in` in the order of a comparison of your own, as sort takes it; positions_out = where each of
/// them stands in `in`. What a stable sort would put first: of elements of which none comes before the other the first positions win.
///
/// in: n trivially copyable elements of any type; less can be copied. On the host O(n log k) comparisons at the most, about n where
/// the order is random and k is small; on a device the same by block, where k is at most half a tile of 256 to 1,024 elements, else a
/// sort of all. Scratch memory of up to twice `in` and its positions. Otherwise as top_k and as sort by a comparison.
/// One implementation on each place, hence no options.
template <Viewable In, Viewable Keys, Viewable Positions, detail::OwnOrder Less>
void top_k(Context& ctx, const In& in, Keys&& keys_out, Positions&& positions_out, const Less& less) {
  detail::own_top_k(ctx, in, &keys_out, &positions_out, less);
}
template <Viewable In, Viewable Keys, detail::OwnOrder Less>
void top_k(Context& ctx, const In& in, Keys&& keys_out, const Less& less) {
  detail::own_top_k(ctx, in, &keys_out, detail::kNotAsked, less);
}
template <Viewable In, Viewable Positions, detail::OwnOrder Less>
void top_k_positions(Context& ctx, const In& in, Positions&& positions_out, const Less& less) {
  detail::own_top_k(ctx, in, detail::kNotAsked, &positions_out, less);
}

}  // namespace tandem
