#pragma once
// sort: keys in ascending or descending order, and values with them.
//
// Stable: keys that count as equal stay in their order. Floating-point keys are ordered −∞ < … < −0 = +0 < … <
// ∞ < NaN, whatever a NaN's sign and payload, so NaNs come last, and in descending order first. Keys and values are
// moved bit for bit: zeros keep their signs and NaNs their payloads.

#include "tandem/array.h"
#include "tandem/merge_path.h"
#include "tandem/options.h"
#include "tandem/own_operators.h"
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
    std::is_same_v<T, float> || std::is_same_v<T, double> || is_narrow_float<T> ||
    std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint32_t> ||
    std::is_same_v<T, std::uint64_t> || std::is_same_v<T, std::int8_t> || std::is_same_v<T, std::uint8_t>;
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
/// keys: n elements of any element type (tandem/types.h); keys_out: as many. keys_out may be keys itself;
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
  static_assert(detail::sorts<T>,
                "sort: in an order of Tandem's, keys are float, double, half, bfloat16 or integers, signed "
                "or not, of 8, 32 "
                "or 64 bits; with a less(x, y) of your own they are of any trivially copyable type");
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
  static_assert(detail::sorts<T>,
                "sort: in an order of Tandem's, keys are float, double, half, bfloat16 or integers, signed "
                "or not, of 8, 32 "
                "or 64 bits; with a less(x, y) of your own they are of any trivially copyable type");
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

// --- comparisons of the user's own

/// A comparison by f: x comes before y where f(x) < f(y). by(&Person::age), by([](float x) { return -x; })
template <class F>
struct By {
  F f;
  template <class T>
  TANDEM_HD constexpr bool operator()(const T& x, const T& y) const {
    if constexpr (std::is_member_object_pointer_v<F>)
      return x.*f < y.*f;
    else
      return f(x) < f(y);
  }
};
template <class F>
constexpr By<F> by(F f) {
  return {f};
}

namespace detail {
TANDEM_API void check_own_sort(Context& ctx, const AnyArray& keys, const AnyArray& keys_out);
TANDEM_API void check_own_sort_by_key(Context& ctx, const AnyArray& keys, const AnyArray& values,
                                      const AnyArray& keys_out, const AnyArray& values_out);

/// A call's order, if it is none of these.
template <class Less>
concept OwnLess = !std::same_as<Less, SortOrder> && !std::same_as<Less, Options>;

/// Whether element j of run y comes before element i of run x.
template <class T, class Less>
struct OwnRuns {
  const T *x, *y;
  const Less& less;
  TANDEM_HD bool operator()(std::int64_t i, std::int64_t j) const { return less(y[j], x[i]); }
};

/// Writes `count` elements of the merged runs x and y, from number `diagonal` on.
template <class T, class Less>
void own_merge(const T* x, std::int64_t nx, const T* y, std::int64_t ny, std::int64_t diagonal,
               std::int64_t count, T* to, const Less& less) {
  const OwnRuns<T, Less> y_before_x{x, y, less};
  std::int64_t i = merge_path(nx, ny, diagonal, y_before_x);
  std::int64_t j = diagonal - i;
  for (std::int64_t k = 0; k < count; ++k) {
    const bool take_y = i == nx || (j < ny && y_before_x(i, j));
    to[k] = take_y ? y[j++] : x[i++];
  }
}
/// Merges those runs of `run` elements, of all n, whose results lie in [begin, end).
template <class T, class Less>
void own_merge_pass(const T* from, std::int64_t n, std::int64_t run, T* to, std::int64_t begin,
                    std::int64_t end, const Less& less) {
  while (begin < end) {
    const RunPair runs = run_pair(begin, run, n);
    const std::int64_t stop = runs.end < end ? runs.end : end;
    own_merge(from + runs.begin, runs.middle - runs.begin, from + runs.middle, runs.end - runs.middle,
              begin - runs.begin, stop - begin, to + begin, less);
    begin = stop;
  }
}

/// One thread sorts n elements into x, runs of 16 by insertion, then by merges. `in` may be x or spare, which has room for n.
template <class T, class Less>
void own_sort_alone(const T* in, std::int64_t n, T* x, T* spare, const Less& less) {
  constexpr std::int64_t kRun = 16;
  int passes = 0;
  for (std::int64_t run = kRun; run < n; run *= 2) ++passes;
  T *from = passes % 2 == 0 ? x : spare,
    *to = passes % 2 == 0 ? spare : x;  // so that the last pass writes to x
  for (std::int64_t i = 0; i < n; ++i) {
    const T element = in[i];
    std::int64_t at = i;
    for (; at % kRun > 0 && less(element, from[at - 1]); --at) from[at] = from[at - 1];
    from[at] = element;
  }
  for (std::int64_t run = kRun; run < n; run *= 2) {
    own_merge_pass(from, n, run, to, 0, n, less);
    T* const merged = to;
    to = from, from = merged;
  }
}

/// Threads sort chunks and share the merges of the chunks, cut by merge paths.
template <class T, class Less>
void own_sort_on_host(Context& ctx, const View<const T>& in, T* out, const Less& less) {
  const std::int64_t n = in.size, chunks = (n + kOwnChunk - 1) / kOwnChunk;
  int passes = 0;  // over all chunks
  for (std::int64_t run = kOwnChunk; run < n; run *= 2) ++passes;
  T *from = out, *to = ctx.scratch<T>(n);
  if (passes % 2 == 1) std::swap(from, to);  // so that the last pass writes to out
  parallel_for(chunks, {}, [&](std::int64_t first, std::int64_t last, int) {
    for (std::int64_t c = first; c < last; ++c) {
      const std::int64_t begin = c * kOwnChunk, size = n - begin < kOwnChunk ? n - begin : kOwnChunk;
      own_sort_alone(in.data + begin, size, from + begin, to + begin, less);
    }
  });
  for (std::int64_t run = kOwnChunk; run < n; run *= 2) {
    parallel_for(chunks, {}, [&](std::int64_t first, std::int64_t last, int) {
      const std::int64_t end = last == chunks ? n : last * kOwnChunk;
      own_merge_pass(from, n, run, to, first * kOwnChunk, end, less);
    });
    std::swap(from, to);
  }
}

/// A key and what moves with it.
template <class T, class V>
struct OwnPair {
  T key;
  V value;
};
/// Pairs in the order of their keys. Less: a comparison, or a reference to one.
template <class Less>
struct ByOwnKey {
  Less less;
  template <class Pair>
  TANDEM_HD bool operator()(const Pair& x, const Pair& y) const {
    return less(x.key, y.key);
  }
};

template <class T, class V, class Less>
void own_sort_pairs_on_host(Context& ctx, const View<const T>& keys, const V* values, T* keys_out,
                            V* values_out, const Less& less) {
  using Pair = OwnPair<T, V>;
  const std::int64_t n = keys.size;
  const Pieces pieces{.size = kOwnChunk, .alone = kOwnChunk};
  Pair* const pairs = ctx.scratch<Pair>(n);
  parallel_for(n, pieces, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) new (pairs + i) Pair{keys.data[i], values[i]};
  });
  own_sort_on_host(ctx, View<const Pair>{pairs, n}, pairs, ByOwnKey<const Less&>{less});
  parallel_for(n, pieces, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) keys_out[i] = pairs[i].key, values_out[i] = pairs[i].value;
  });
}

template <class Places, class T, class Less>
void own_sort(Context& ctx, const View<const T>& in, const View<T>& out, const Less& less) {
  const Lending lending(ctx);
  translated([&] {
    check_own_sort(ctx, any_array(in), any_array(out));
    on_place<Places>(
        ctx, "sort", [&](auto where) { own_sort_by_kernel(where, ctx, in, out.data, less); },
        [&] {
          const CallScope call(ctx, "sort/custom/threads", Place::host);
          own_sort_on_host(ctx, in, out.data, less);
        });
  });
}

template <class Places, class T, class V, class Less>
void own_sort_by_key(Context& ctx, const View<const T>& keys, const View<const V>& values,
                     const View<T>& keys_out, const View<V>& values_out, const Less& less) {
  const Lending lending(ctx);
  translated([&] {
    check_own_sort_by_key(ctx, any_array(keys), any_array(values), any_array(keys_out),
                          any_array(values_out));
    on_place<Places>(
        ctx, "sort_by_key",
        [&](auto where) {
          own_sort_pairs_by_kernel(where, ctx, keys, values.data, keys_out.data, values_out.data, less);
        },
        [&] {
          const CallScope call(ctx, "sort/custom/threads", Place::host);
          own_sort_pairs_on_host(ctx, keys, values.data, keys_out.data, values_out.data, less);
        });
  });
}

template <class T, class Less>
constexpr bool orders = std::is_invocable_r_v<bool, const Less&, const T&, const T&>;
}  // namespace detail

/// keys_out = the elements of `keys`, so that none comes before one that less(x, y) puts before it, in the memory of the context,
/// without waiting for it.
///
/// less: any function object that says whether x comes before y, a strict weak order as std::sort wants it (of another the result
/// is a permutation of unspecified order); by(f) compares what f makes of elements. keys: n trivially copyable elements of any
/// type, structs of a key and a value, say; keys_out: as many, or keys itself; any other overlap is refused. Stable. On the host
/// several threads call less at once; what it throws passes through, and keys_out is then unspecified. For a context of a device
/// the program includes <tandem/functors.cuh>; keys then have a default constructor and 192 bytes at the most, their values among
/// them. One implementation on each place, hence no options. O(n log n) work; scratch memory
/// of the size of the keys. Throws InvalidArgument (sizes differ, null pointers, host memory in a device context, overlap),
/// Unavailable (a context of a device without functors.cuh), OutOfMemory, DeviceError.
/// Source:  Knuth 1998, "The Art of Computer Programming", volume 3, section 5.2.4; Odeh, Green, Mwassi, Shmueli, Birk 2012,
///          "Merge path".
template <Viewable Keys, Viewable Out, detail::OwnLess Less>
void sort_into(Context& ctx, const Keys& keys, Out&& keys_out, const Less& less) {
  using T = element_of<const Keys>;
  constexpr bool kLess = detail::orders<T, Less>;
  constexpr bool kSame = std::is_same_v<element_of<Out>, T>;
  static_assert(kLess, "sort: less(x, y) must take two elements and say whether x comes before y");
  static_assert(kSame, "sort: keys_out must hold the type of keys");
  static_assert(std::is_trivially_copyable_v<T>, "sort: elements must be trivially copyable");
  if constexpr (kLess && kSame && std::is_trivially_copyable_v<T>)
    detail::own_sort<detail::places_of<Less>>(ctx, View<const T>{view(keys).data, view(keys).size},
                                              View<T>{view(keys_out).data, view(keys_out).size}, less);
}

/// In place: keys = the keys in order. Otherwise as sort_into.
template <Viewable Keys, detail::OwnLess Less>
void sort(Context& ctx, Keys&& keys, const Less& less) {
  sort_into(ctx, keys, keys, less);
}

/// Sorts keys as sort_into does by a comparison of your own, and values_out = the values in the order of their keys.
///
/// values: one for each key, trivially copyable, of any type; values_out: as many, or values itself; none of the other arrays may
/// overlap one that is written. Scratch memory of twice the size of keys and values. Otherwise as sort_into by a comparison.
template <Viewable Keys, Viewable Values, Viewable KeysOut, Viewable ValuesOut, detail::OwnLess Less>
void sort_by_key_into(Context& ctx, const Keys& keys, const Values& values, KeysOut&& keys_out,
                      ValuesOut&& values_out, const Less& less) {
  using T = element_of<const Keys>;
  using V = element_of<const Values>;
  constexpr bool kLess = detail::orders<T, Less>;
  constexpr bool kSame = std::is_same_v<element_of<KeysOut>, T> && std::is_same_v<element_of<ValuesOut>, V>;
  constexpr bool kMoves = std::is_trivially_copyable_v<T> && std::is_trivially_copyable_v<V>;
  static_assert(kLess, "sort: less(x, y) must take two keys and say whether x comes before y");
  static_assert(kSame, "sort: keys_out must hold the type of keys, and values_out that of values");
  static_assert(kMoves, "sort: keys and values must be trivially copyable");
  if constexpr (kLess && kSame && kMoves) {
    detail::own_sort_by_key<detail::places_of<Less>>(ctx, View<const T>{view(keys).data, view(keys).size},
                                                     View<const V>{view(values).data, view(values).size},
                                                     View<T>{view(keys_out).data, view(keys_out).size},
                                                     View<V>{view(values_out).data, view(values_out).size},
                                                     less);
  }
}

/// In place. Otherwise as sort_by_key_into by a comparison.
template <Viewable Keys, Viewable Values, detail::OwnLess Less>
void sort_by_key(Context& ctx, Keys&& keys, Values&& values, const Less& less) {
  sort_by_key_into(ctx, keys, values, keys, values, less);
}

}  // namespace tandem
