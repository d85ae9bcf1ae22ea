// The Python module: operations, and what there is to say about them. tandem/__init__.py re-exports it.

#include <fmt/format.h>
#include <nanobind/nanobind.h>

#include "lib/core/registry.h"
#include "python/src/contexts.h"
#include "python/src/errors.h"
#include "python/src/operations.h"
#include "tandem/error.h"
#include "tandem/version.h"

namespace tandem::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

nb::object text(std::string_view s) { return nb::str(s.data(), s.size()); }

nb::list list_implementations(const char* pattern) {
  const auto found = matching(pattern);
  if (found.empty())
    throw InvalidArgument(
        fmt::format("implementations: none matches '{}'; with no pattern all are listed", pattern));
  nb::list rows;
  for (const Implementation* i : found) {
    const std::string reason = i->unavailable();
    nb::dict row;
    row["implementation"] = text(i->name);
    row["operation"] = text(i->operation);
    row["path"] = text(i->path);
    row["place"] = name(i->place);
    row["available"] = reason.empty();
    row["reason"] = text(reason);
    row["note"] = text(i->note);
    rows.append(row);
  }
  return rows;
}

nb::object last() {
  Context* const ctx = last_context();
  if (!ctx) return nb::none();
  return nb::make_tuple(text(ctx->last().implementation), text(ctx->last().why));
}

}  // namespace
}  // namespace tandem::python

NB_MODULE(_tandem, module) {
  using namespace tandem::python;
  module.attr("__version__") =
      fmt::format("{}.{}.{}", TANDEM_VERSION_MAJOR, TANDEM_VERSION_MINOR, TANDEM_VERSION_PATCH).c_str();
  nanobind::set_leak_warnings(false);  // arrays that live until the end are no leak
  translate_errors();
  add_reductions_and_scans(module);
  add_selecting_and_sorting(module);
  add_elements_and_matrices(module);
  add_sparse(module);
  add_sparse_conversions(module);
  add_sparse_vectors(module);
  add_fourier(module);
  add_intersect(module);
  module.def("implementations", &list_implementations, "pattern"_a = "",
             nb::sig("def implementations(pattern: str = '') -> list[dict[str, typing.Any]]"),
             R"(Every implementation whose name contains `pattern`, those that cannot run here included.

Returns dicts of implementation (the name for `use`), operation, path ('custom' or 'vendor'), place
('host' or 'device'), available, reason (why not, else empty) and note. Raises InvalidArgument where
none matches.)");
  module.def("last", &last, nb::sig("def last() -> tuple[str, str] | None"),
             "The implementation that this thread's last call ran, and why that one.");
  module.def("synchronize", tandem::python::synchronize,
             R"(Waits for every call of this thread on a GPU.

Raises what kernels recorded: SingularSystem, DeviceError.)");
}
