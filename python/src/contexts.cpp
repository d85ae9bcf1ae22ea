#include "python/src/contexts.h"

#include <deque>
#include <exception>
#include <optional>
#include <vector>

namespace tandem::python {
namespace {

struct OnDevice {
  int index;
  void* stream;
  PyObject* owner;  // a weak reference, or null; not released when the thread ends, perhaps without the GIL
  Context context;

  /// The stream's owner, none where it has been destroyed, null where the stream has no owner.
  nanobind::object alive() const {
    return owner ? nanobind::object(nanobind::handle(owner)()) : nanobind::object();
  }
  void belong_to(nanobind::handle to) {
    Py_XDECREF(owner);
    owner = to ? PyWeakref_NewRef(to.ptr(), nullptr) : nullptr;
    if (to && !owner) PyErr_Clear();  // of a type that has no weak references
  }
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

Context& device_context(int index, void* stream, nanobind::handle owner) {
  for (OnDevice& known : contexts.devices) {
    if (known.index != index || known.stream != stream) continue;
    const nanobind::object before = known.alive();
    if (before.is(owner)) return known.context;
    // Another stream at the address of one that was destroyed: nothing recorded there is its.
    if (before.is_valid() && before.is_none()) known.context = Context::device(index, stream);
    known.belong_to(owner);
    return known.context;
  }
  contexts.devices.push_back({index, stream, nullptr, Context::device(index, stream)});
  contexts.devices.back().belong_to(owner);
  return contexts.devices.back().context;
}

Context*& last_context() { return contexts.last; }

void synchronize() {
  std::vector<Context*> alive;
  std::vector<nanobind::object> owners;  // so that none is destroyed meanwhile
  for (OnDevice& known : contexts.devices) {
    owners.push_back(known.alive());
    if (!owners.back().is_valid() || !owners.back().is_none()) alive.push_back(&known.context);
  }
  const nanobind::gil_scoped_release others_run;
  std::exception_ptr first;
  for (Context* context : alive) {
    try {
      context->synchronize();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace tandem::python
