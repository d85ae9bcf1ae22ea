// Stands in for device.cu in a build without nvcc.

#include "bench/measure/device.h"
#include "tandem/error.h"

namespace tandem::command {

void stream_on_device(Context&, int, bool, bool, const std::uint64_t*, std::uint64_t*, std::int64_t) {
  throw Unavailable(why_no_device());
}

double multiply_add_on_device(Context&, Type, bool, double*, bool) { throw Unavailable(why_no_device()); }

void neutral_kernel(Context&) { throw Unavailable(why_no_device()); }

std::shared_ptr<std::byte[]> pinned_memory(Context&, std::size_t) { throw Unavailable(why_no_device()); }

std::optional<bool> starts_early(Context&, const std::function<void()>&) {
  throw Unavailable(why_no_device());
}

DeviceFacts device_facts(const Context&) { throw Unavailable(why_no_device()); }

std::string pci_address(const Context&) { return {}; }

}  // namespace tandem::command
