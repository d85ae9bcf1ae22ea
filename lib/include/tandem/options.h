#pragma once

#include <string_view>

namespace tandem {

/// The last argument of every call.
struct Options {
  /// Full or partial name of the implementation to run ("scan/custom/lookback", "custom/lookback", "lookback");
  /// empty: the automatic choice.
  std::string_view use = {};
};

}  // namespace tandem
