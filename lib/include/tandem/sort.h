#pragma once
// sort: keys in ascending or descending order, and values with them.
//
// Stable: keys that count as equal stay in their order. Floating-point keys are ordered −∞ < … < −0 = +0 < … <
// ∞ < NaN, whatever a NaN's sign and payload, so NaNs come last, and in descending order first. Keys and values are
// moved bit for bit: zeros keep their signs and NaNs their payloads.

#include "tandem/array.h"
#include "tandem/options.h"
#include "tandem/types.h"

namespace tandem {

/// In which order keys are put. The bits are those of an unsigned number, the key's code, whose order is that of
/// the keys: of an unsigned key the key itself, of a signed one that with its sign bit flipped; of a floating-point
/// key that with all its bits flipped where it is negative, and the sign bit alone elsewhere, after a zero has lost
/// its sign; of a NaN all ones. Keys that agree in the bits begin_bit … end_bit − 1 of their codes count as equal.
struct SortOrder {
  bool descending = false;
  int begin_bit = 0;
  int end_bit = -1;  // −1: all bits of a key
};

namespace detail {
/// Element types that sort takes as keys.
template <class T>
inline constexpr bool sorts =
    std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::int32_t> ||
    std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>;
/// What it takes as values: it only moves them.
template <class T>
inline constexpr bool moves = std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8);

struct SortValues {
  ConstMemory in{};
  Memory out{};
  int bytes = 0;  // of a value; 0: keys alone
};
TANDEM_API void sort(Context& ctx, Type type, ConstMemory keys, Memory keys_out, const SortValues& values,
                     const SortOrder& order, const Options& options);
}  // namespace detail

/// keys_out = the keys in order, in the memory of the context, without waiting for it.
///
/// keys: n elements, float, double, int32, int64, uint32 or uint64; keys_out: as many. keys_out may be keys itself;
/// any other overlap is refused. Which bits count, and in which direction, says `order`. O(n) work on the paths that
/// sort by digits, O(n log n) on those that compare; scratch memory of about the size of keys and values, taken in
/// the first call of a size alone. Throws InvalidArgument (sizes differ, a range of bits that the keys have not,
/// null pointers, host memory in a device context, overlap, unknown options.use), Unavailable (options.use cannot
/// run here), OutOfMemory, DeviceError.
/// Source:  Knuth 1998, "The Art of Computer Programming", volume 3, section 5.2.5; Adinets, Merrill 2022,
///          "Onesweep: a faster least significant digit radix sort for GPUs".
template <Viewable Keys, Viewable Out>
void sort_into(Context& ctx, const Keys& keys, Out&& keys_out, const SortOrder& order = {},
               const Options& options = {}) {
  using T = element_of<const Keys>;
  static_assert(detail::sorts<T>, "sort does not take keys of this type");
  static_assert(std::is_same_v<element_of<Out>, T>, "sort: keys_out must hold the type of keys");
  detail::sort(ctx, type_of<T>, detail::const_memory(keys), detail::memory(keys_out), {}, order, options);
}

/// In place: keys = the keys in order. Otherwise as sort_into.
template <Viewable Keys>
void sort(Context& ctx, Keys&& keys, const SortOrder& order = {}, const Options& options = {}) {
  sort_into(ctx, keys, keys, order, options);
}

/// Sorts keys as sort_into does, and values_out = the values in the order of their keys: because the sort is stable,
/// the values 0, 1, 2, … become the permutation that sorts.
///
/// values: one for each key, of any trivially copyable type of 4 or 8 bytes, aligned to its size; values_out: as
/// many. values_out may be values itself; none of the other arrays may overlap one that is written.
template <Viewable Keys, Viewable Values, Viewable KeysOut, Viewable ValuesOut>
void sort_by_key_into(Context& ctx, const Keys& keys, const Values& values, KeysOut&& keys_out,
                      ValuesOut&& values_out, const SortOrder& order = {}, const Options& options = {}) {
  using T = element_of<const Keys>;
  using V = element_of<const Values>;
  static_assert(detail::sorts<T>, "sort does not take keys of this type");
  static_assert(detail::moves<V>, "sort takes trivially copyable values of 4 or 8 bytes");
  static_assert(std::is_same_v<element_of<KeysOut>, T>, "sort: keys_out must hold the type of keys");
  static_assert(std::is_same_v<element_of<ValuesOut>, V>, "sort: values_out must hold the type of values");
  detail::sort(ctx, type_of<T>, detail::const_memory(keys), detail::memory(keys_out),
               {detail::const_memory(values), detail::memory(values_out), int{sizeof(V)}}, order, options);
}

/// In place: keys in order, and values in the order of their keys. Otherwise as sort_by_key_into.
template <Viewable Keys, Viewable Values>
void sort_by_key(Context& ctx, Keys&& keys, Values&& values, const SortOrder& order = {},
                 const Options& options = {}) {
  sort_by_key_into(ctx, keys, values, keys, values, order, options);
}

}  // namespace tandem
