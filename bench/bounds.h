#pragma once
// What the memory of a place can do, measured in the same run as the operations that it bounds.

#include <functional>
#include <memory>

#include "lib/core/array.h"
#include "lib/core/operation.h"

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

/// Reads every word of a device buffer and leaves one word in `out`. Throws Unavailable in a build without
/// nvcc.
void read_on_device(Context& ctx, const std::uint64_t* from, std::int64_t words, std::uint64_t* out);

}  // namespace tandem::command
