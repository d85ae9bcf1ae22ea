#pragma once
// The last argument of every call: which implementation to run.

#include <string>
#include <string_view>
#include <vector>

#include "tandem/context.h"

namespace tandem {

/// The last argument of every call.
struct Options {
  /// Full or partial name of the implementation to run ("scan/custom/lookback", "custom/lookback",
  /// "lookback"); empty: the automatic choice.
  std::string_view use = {};
};

/// Full names for Options::use: the implementations of an operation that can run in a context, as `tandem
/// list` orders them.
TANDEM_API std::vector<std::string> implementation_names(std::string_view operation, const Context& ctx);

}  // namespace tandem
