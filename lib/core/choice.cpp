#include "lib/core/choice.h"

#include "tandem/error.h"

namespace tandem {
namespace {

struct Measured {
  std::string_view operation;
  std::string_view device;  // its name; empty for the host
  std::size_t element_bytes;
  std::int64_t from_n;  // the row holds from this size to the next row's
  std::string_view implementation;
};
// Written by tools/report.py from bench/results/. Of the rows of one (operation, device, element_bytes) the last one holds
// whose from_n is not above n and whose implementation takes the call: what takes every layout stands first.
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
  const Implementation* best = nullptr;
  for (const Measured& row : kMeasured) {
    if (row.operation != operation || row.device != device || row.element_bytes != size_of(id.type) ||
        row.from_n > n)
      continue;
    for (const Implementation& i : implementations()) {
      if (i.name == row.implementation && i.place == place && takes(i, shape, id) &&
          (!i.suits || i.suits(shape)))
        best = &i;
    }
  }
  if (best) return {best, "fastest in the recorded measurements at this size"};
  const Implementation* fallback = nullptr;
  for (const Implementation& i : implementations()) {
    if (i.operation != operation || i.place != place || i.path == "wrong" || !takes(i, shape, id)) continue;
    const bool vendor = i.path == "vendor";
    if (place == Place::device ? (!fallback || (vendor && fallback->path != "vendor"))
                               : (!vendor || !fallback))
      fallback = &i;
  }
  if (!fallback) {
    throw Unavailable(std::string(operation) + " " + id.str() +
                      ": no implementation takes this call on the " + name(place));
  }
  return {fallback, "no measurement of this size; the safe default"};
}

}  // namespace tandem
