// Stands in for peer_device.cu in a build without nvcc.

#include "lib/dist/peer_device.h"
#include "tandem/error.h"

namespace tandem::peer_device {

Gpu gpu(Context&) { throw Unavailable(why_no_device()); }
std::byte* take(Context&, std::int64_t, Handle&) { throw Unavailable(why_no_device()); }
std::byte* open(Context&, const Handle&) { throw Unavailable(why_no_device()); }
void give_back(Context&, std::byte*, std::int64_t, const std::vector<std::byte*>&) noexcept {}

}  // namespace tandem::peer_device
