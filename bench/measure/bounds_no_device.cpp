// Stands in for bounds_device.cu in a build without nvcc.

#include "bench/measure/bounds.h"
#include "tandem/error.h"

namespace tandem::command {

void read_on_device(Context&, const std::uint64_t*, std::int64_t, std::uint64_t*) {
  throw Unavailable(why_no_device());
}

double multiply_add_on_device(Context&, Type, double*, bool) { throw Unavailable(why_no_device()); }

}  // namespace tandem::command
