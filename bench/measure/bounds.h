#pragma once
// What the memory and the arithmetic of a place can do, measured in the same run as the operations that they
// bound.

#include <functional>
#include <memory>
#include <vector>

#include "lib/harness/operation.h"
#include "tandem/array.h"

namespace tandem::command {

/// Streams through memory: reads `reads` words (1 to 4) for each that it writes, or reads alone.
class Stream {
 public:
  /// Moves no more than `bytes`, nor than what is well beyond any cache, and no less than 256.
  Stream(Context& ctx, int reads, bool writes, double bytes);
  /// On a device `waves` says how: by one wave of blocks, or by many short ones.
  void operator()(bool waves = true);
  /// Moved by one pass, reads and writes counted.
  double bytes() const;

 private:
  Context& ctx_;
  int reads_;
  bool writes_;
  std::int64_t words_;  // of each array
  Array<std::uint64_t> from_, to_;
};

/// Fused multiply-adds of one type on registers alone, on every core.
class MultiplyAdds {
 public:
  MultiplyAdds(Context& ctx, Type type) : ctx_(ctx), type_(type), out_(ctx, 1) {}
  /// On a device with `matrices` on the tensor cores, as far as these compute in the precision of the type.
  void operator()(bool matrices = false);
  /// Floating-point operations of one pass, two for each multiply-add; 0 where there is no such pass.
  double operations(bool matrices = false) const;

 private:
  Context& ctx_;
  Type type_;  // f32 or f64
  Array<double> out_;
};

/// A way to reach a bound: one pass, and what it moves or computes.
struct Pass {
  std::function<void()> run;
  double amount;  // bytes, or operations where Bound::flops
};
/// All ways to reach what bounds work of this amount on a place; the fastest is the bound.
std::vector<Pass> passes(Context& ctx, Bound bound, Type type, const Work& work);

}  // namespace tandem::command
