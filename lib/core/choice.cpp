#include "lib/core/choice.h"

#include "lib/core/error.h"

namespace tandem {
namespace {

struct Measured {
  std::string_view operation;
  std::string_view device;  // its name; empty for the host
  std::size_t element_bytes;
  std::int64_t from_n;  // the row holds from this size to the next row's
  std::string_view implementation;
};
// Written by tools/report.py from bench/results/; rows of one (operation, device, element_bytes) ascend in
// from_n.
constexpr Measured kMeasured[] = {
#include "lib/core/choice_table.inc"
    {"", "", 0, 0, ""}};

bool takes(const Implementation& i, const void* shape, CaseId id) {
  return i.unavailable().empty() && !i.synchronises && !i.reduced_precision && i.refusal(shape, id).empty();
}

}  // namespace

Choice choose_automatically(std::string_view operation, CaseId id, const void* shape, std::int64_t n,
                            const Context& ctx) {
  const Place place = ctx.place();
  const std::string device = place == Place::device ? ctx.description() : "";
  std::string_view best;
  for (const Measured& row : kMeasured) {
    if (row.operation == operation && row.device == device && row.element_bytes == size_of(id.type) &&
        row.from_n <= n) {
      best = row.implementation;
    }
  }
  const Implementation* fallback = nullptr;
  for (const Implementation& i : implementations()) {
    if (i.operation != operation || i.place != place || i.path == "wrong" || !takes(i, shape, id)) continue;
    if (i.name == best) return {&i, "fastest in the recorded measurements at this size"};
    const bool vendor = i.path == "vendor";
    if (place == Place::device ? (!fallback || (vendor && fallback->path != "vendor")) : !vendor)
      fallback = &i;
  }
  if (!fallback) {
    throw Unavailable(std::string(operation) + " " + id.str() +
                      ": no implementation takes this call on the " + name(place));
  }
  return {fallback, "no measurement of this size; the safe default"};
}

}  // namespace tandem
