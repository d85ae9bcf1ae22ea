#pragma once
// transpose: out(j, i) = in(i, j), out of place for any matrix, in place for square ones.

#include <type_traits>

#include "tandem/matrix.h"
#include "tandem/options.h"
#include "tandem/types.h"

namespace tandem {

namespace detail {
template <class T>
inline constexpr bool transposes = std::is_trivially_copyable_v<T> &&
                                   (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);
/// Elements are moved, whatever they mean: the type of as many bytes, floating-point numbers as themselves because libraries take
/// only these.
template <class T>
constexpr Type moved_as() {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) return type_of<T>;
  return sizeof(T) == 1 ? Type::u8 : sizeof(T) == 2 ? Type::f16 : sizeof(T) == 4 ? Type::i32 : Type::i64;
}
TANDEM_API void transpose(Context& ctx, Type type, const MatrixView<const std::byte>& in,
                          const MatrixView<const std::byte>& out, const Options& options);
}  // namespace detail

/// out(j, i) = in(i, j) in the memory of the context, without waiting for it.
///
/// in: rows × cols; out: cols × rows in the same layout (a view in the other layout is a transposition
/// already: transposed(in)). Elements: of any type of 1, 2, 4 or 8 bytes that can be copied byte by byte (numbers,
/// std::complex<float>, a struct), at addresses that are multiples of their size; custom paths move them bit for
/// bit; a library may change the payload of a NaN. out may be in itself
/// where it is square with the same leading dimension; any other overlap is refused. Elements in the gaps
/// between lines stay as they are. O(rows · cols) work; allocates nothing after the first call of a shape.
/// Throws InvalidArgument (shapes do not conform, layouts differ or are unknown, a leading dimension below
/// the length of a line, null pointers, host memory in a device context, overlap, unknown options.use),
/// Unavailable (options.use cannot run here), OutOfMemory, DeviceError.
/// Source:  Ruetsch, Micikevicius 2009, "Optimizing matrix transpose in CUDA".
template <class In, class T>
void transpose(Context& ctx, const MatrixView<In>& in, const MatrixView<T>& out,
               const Options& options = {}) {
  static_assert(std::is_same_v<std::remove_const_t<In>, T>, "transpose: out must hold the type of in");
  static_assert(detail::transposes<T>,
                "transpose takes elements of 1, 2, 4 or 8 bytes that can be copied byte by byte");
  detail::transpose(ctx, detail::moved_as<T>(), detail::untyped(in), detail::untyped(out), options);
}

/// In place: a(i, j) and a(j, i) change places. `a` is square. Otherwise as above.
template <class T>
void transpose(Context& ctx, const MatrixView<T>& a, const Options& options = {}) {
  transpose(ctx, a, a, options);
}

}  // namespace tandem
