#pragma once
// Which implementation a call runs: the one asked for by name, or the automatic choice.

#include <cstdint>
#include <string_view>

#include "lib/core/registry.h"

namespace tandem {

struct Choice {
  const Implementation* implementation;
  std::string_view why;  // lives as long as the program
};

/// What choices are made for, one for each case and variant that an entry point calls.
struct CallSite {
  std::string_view operation;
  CaseId id;
  /// Shapes that measurements tell apart (layouts, results or counts); empty where an operation has one form.
  std::string_view variant;
  int slot;  // where contexts remember how the implementations rank, from reserve_slots
};
TANDEM_API int reserve_slots(int count);

/// The implementation for a call: `use` (full or partial name), or TANDEM_USE as it was when the context was
/// made, else the automatic choice: of the implementations that take and suit the shape, the fastest in the
/// recorded measurements (choice_table.inc) of this machine, this variant and this size; where nothing was
/// measured, the library on a device and the last step of the ladder on the host. O(1) after the first call
/// of a site: one look-up and the chosen implementation's own refusal.
/// Throws InvalidArgument (unknown name: lists the known ones) or Unavailable (cannot run here: why).
TANDEM_API Choice choose(const CallSite& site, const void* shape, std::int64_t n, const Context& ctx,
                         std::string_view use);

}  // namespace tandem
