#pragma once
// What is said of a name that nobody knows.

#include <string>
#include <string_view>
#include <vector>

#include "tandem/export.h"

namespace tandem {

/// The name that `text` may have been meant for: one that few letters tell from it (a letter more, less, other,
/// or two exchanged; at most one in three), or such a part of a name with slashes; empty where there is none.
/// O(letters of all names · letters of the text).
TANDEM_API std::string nearest(std::string_view text, const std::vector<std::string>& names);

/// "; did you mean 'scan'?" for the nearest name, or nothing.
TANDEM_API std::string did_you_mean(std::string_view text, const std::vector<std::string>& names);

/// "unknown operation 'scna'; known: gemm, scan; did you mean 'scan'?"
TANDEM_API std::string unknown_name(std::string_view what, std::string_view text,
                                    const std::vector<std::string>& known);

}  // namespace tandem
