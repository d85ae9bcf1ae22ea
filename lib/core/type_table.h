#pragma once
// What the type table says at run time, beyond tandem/types.h.

#include <string_view>
#include <vector>

#include "tandem/types.h"

namespace tandem {

/// "f4" for f32; empty for types that no file holds.
std::string_view npy_code(Type type);
/// Those of the type table, in its order.
TANDEM_API std::vector<Type> all_types();

}  // namespace tandem
