#pragma once
// What the memory and the arithmetic of a place can do, measured in the same run as the operations that they
// bound.

#include <functional>
#include <memory>

#include "lib/harness/operation.h"
#include "tandem/array.h"

namespace tandem::command {

/// Streams through a buffer well beyond the caches: a copy, or a read of every word.
class Stream {
 public:
  Stream(Context& ctx, Bound bound);
  void operator()();
  /// Moved by one pass, reads and writes counted.
  double bytes() const;

 private:
  Context& ctx_;
  Bound bound_;
  Array<std::uint64_t> from_, to_;
};

/// Fused multiply-adds of one type on registers alone, on every core.
class MultiplyAdds {
 public:
  MultiplyAdds(Context& ctx, Type type) : ctx_(ctx), type_(type), out_(ctx, 1) {}
  void operator()();
  /// Floating-point operations of one pass, two for each multiply-add.
  double operations() const;

 private:
  Context& ctx_;
  Type type_;  // f32 or f64
  Array<double> out_;
};

/// As MultiplyAdds, on a device. Returns the operations. Throws Unavailable in a build without nvcc.
double multiply_add_on_device(Context& ctx, Type type, double* out, bool launch);

/// Reads every word of a device buffer and leaves one word in `out`. Throws Unavailable in a build without
/// nvcc.
void read_on_device(Context& ctx, const std::uint64_t* from, std::int64_t words, std::uint64_t* out);

}  // namespace tandem::command
