#pragma once
// What the type table says at run time, beyond tandem/types.h.

#include <string_view>
#include <vector>

#include "tandem/types.h"

namespace tandem {

/// "f4" for f32; empty for types that no file holds. NumPy has no bf16: "V2", two bytes of which it knows nothing,
/// is what it writes for the bfloat16 of ml_dtypes.
std::string_view npy_code(Type type);
/// Those of the type table, in its order.
TANDEM_API std::vector<Type> all_types();

}  // namespace tandem
