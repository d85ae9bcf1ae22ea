#pragma once
// Element types, as C++ types and as values.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "tandem/bfloat16.h"
#include "tandem/export.h"
#include "tandem/half.h"

namespace tandem {

/// Every element type: its name, its C++ type, its code in .npy files, and what its elements are accumulated
/// in. A new type is a row here; which operations take it stands in their contracts.
#define TANDEM_ELEMENT_TYPES(ROW)              \
  ROW(f16, half, "f2", float)                  \
  ROW(bf16, bfloat16, "V2", float)             \
  ROW(f32, float, "f4", float)                 \
  ROW(f64, double, "f8", double)               \
  ROW(i8, std::int8_t, "i1", std::int32_t)     \
  ROW(i32, std::int32_t, "i4", std::int32_t)   \
  ROW(i64, std::int64_t, "i8", std::int64_t)   \
  ROW(u32, std::uint32_t, "u4", std::uint32_t) \
  ROW(u64, std::uint64_t, "u8", std::uint64_t) \
  ROW(u8, std::uint8_t, "u1", std::int32_t)

#define TANDEM_ROW(name, ...) name,
enum class Type : std::uint8_t { TANDEM_ELEMENT_TYPES(TANDEM_ROW) };
#undef TANDEM_ROW

template <class T>
struct TypeTraits {
  static_assert(sizeof(T) == 0, "this is no element type of Tandem");
};
#define TANDEM_ROW(type_name, T, npy_code, A)                         \
  template <>                                                         \
  struct TypeTraits<T> {                                              \
    static constexpr ::tandem::Type type = ::tandem::Type::type_name; \
    static constexpr std::string_view name = #type_name;              \
    static constexpr std::string_view npy = npy_code;                 \
    static constexpr bool floating = std::is_floating_point_v<A>;     \
    using Accumulator = A;                                            \
  };
TANDEM_ELEMENT_TYPES(TANDEM_ROW)
#undef TANDEM_ROW

template <class T>
inline constexpr Type type_of = TypeTraits<T>::type;
/// What elements of type T are accumulated in: half and bfloat16 in float, bytes in int32, others in themselves.
template <class T>
using accumulator_t = typename TypeTraits<T>::Accumulator;
/// Floating-point numbers that are storage alone: they compute as floats.
template <class T>
inline constexpr bool is_narrow_float = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;

TANDEM_API std::string_view name(Type type);
/// Bytes of an element.
TANDEM_API std::size_t size_of(Type type);
TANDEM_API bool is_floating(Type type);
/// The type that a name stands for; InvalidArgument lists the known names.
TANDEM_API Type parse_type(std::string_view text);

}  // namespace tandem
