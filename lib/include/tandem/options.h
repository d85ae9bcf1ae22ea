#pragma once
// The last argument of every call: which implementation to run, and how accurate it must be.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/context.h"

namespace tandem {

/// What decides the last bits of a result.
enum class Bits {
  own,      // the path that runs: its order of roundings, on some paths the machine and its threads
  portable  // the call alone: they are the same on every place, path, grid and machine
};
inline constexpr Bits portable = Bits::portable;

/// What the automatic choice may compute in, the most accurate first; each allows what stands before it, too.
/// gemm of floats has all three (docs/promises.md says how far off their results may be); for everything else
/// they mean the same.
enum class Precision : std::uint8_t {
  full,  // products and sums of the type of the elements
  split,  // each element as a sum of shorter numbers, whose products tensor cores add up: the accuracy of floats
  tf32,  // elements rounded to 11 significant bits
};
/// "full", "split" or "tf32".
TANDEM_API std::string_view name(Precision precision);
/// The precision of that name. Throws InvalidArgument, which begins with `what`.
TANDEM_API Precision parse_precision(std::string_view text, const std::string& what);

/// The last argument of every call.
struct Options {
  /// Full or partial name of the implementation to run ("scan/custom/lookback", "custom/lookback",
  /// "lookback"); empty: the automatic choice.
  std::string_view use = {};
  /// Which bits a result must have. `portable` is offered by reduce and random, and over ranks by gemm and tridiagonal.
  Bits bits = Bits::own;
  /// What the automatic choice may use. A path that `use` names computes as it does.
  Precision precision = Precision::full;
};

/// Full names for Options::use: the implementations of an operation that can run in a context, as `tandem
/// list` orders them.
TANDEM_API std::vector<std::string> implementation_names(std::string_view operation, const Context& ctx);

}  // namespace tandem
