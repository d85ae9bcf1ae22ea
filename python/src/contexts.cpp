#include "python/src/contexts.h"

#include <deque>
#include <exception>
#include <optional>

namespace tandem::python {
namespace {

struct OnDevice {
  int index;
  void* stream;
  Context context;
};

struct Contexts {
  std::optional<Context> host;
  std::deque<OnDevice> devices;  // which stay where they are
  Context* last = nullptr;
};
thread_local Contexts contexts;

}  // namespace

Context& host_context() {
  if (!contexts.host) contexts.host = Context::host();
  return *contexts.host;
}

Context& device_context(int index, void* stream) {
  for (OnDevice& known : contexts.devices) {
    if (known.index == index && known.stream == stream) return known.context;
  }
  return contexts.devices.emplace_back(OnDevice{index, stream, Context::device(index, stream)}).context;
}

Context*& last_context() { return contexts.last; }

void synchronize() {
  std::exception_ptr first;
  for (OnDevice& known : contexts.devices) {
    try {
      known.context.synchronize();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace tandem::python
