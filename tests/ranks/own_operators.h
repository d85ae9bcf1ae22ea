#pragma once
// Operators of one's own for tests of calls over ranks, and these calls on GPUs, which are compiled as kernels are.

#include <cstdint>

#include "tandem/array.h"
#include "tandem/communicator.h"

namespace tandem {

/// Composition of x ↦ a x + b in whole numbers that wrap: associative, but not commutative.
struct Affine {
  std::uint64_t a, b;
  friend bool operator==(const Affine&, const Affine&) = default;
};
struct Compose {
  TANDEM_HD Affine operator()(Affine f, Affine g) const { return {f.a * g.a, f.b * g.a + g.b}; }
};
/// The same of maps whose b counts places.
struct AtPlace : Compose {
  TANDEM_HD Affine lift(Affine f, std::int64_t i) const { return {f.a, f.b + static_cast<std::uint64_t>(i)}; }
};

TANDEM_API Affine own_reduce(Communicator& all, View<const Affine> x);
TANDEM_API void own_scan(Communicator& all, View<const Affine> x, View<Affine> y);
TANDEM_API void own_all_reduce(Communicator& all, View<const Affine> x, View<Affine> y, const char* path);

}  // namespace tandem
