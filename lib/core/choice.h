#pragma once
// Which implementation a call runs: the one asked for by name, or the automatic choice.

#include <cstdint>
#include <string>
#include <string_view>

#include "lib/core/choice_file.h"
#include "lib/core/registry.h"

namespace tandem {

struct Choice {
  const Implementation* implementation;
  std::string_view why;  // lives as long as the program, as row does
  std::string_view row =
      {};  // implementations of the row that it was found in; empty where none was measured
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

/// The implementation for a call: options.use (full or partial name), or TANDEM_USE as it was when the context was
/// made, else the automatic choice: of the implementations that take and suit the shape, the fastest in the
/// measurements of this machine for this variant and these features; before those, where options.precision
/// allows it, the least precise. The user's own (choice_file) come before
/// the recorded ones (choice_table.inc), which are those of the most similar measured machine where this one
/// was not measured: of any CPU, or the GPU with most nearly as many multiprocessors. Where nothing was, the
/// library on a device, and on the host the serial loop for tiny inputs and the last step for others. O(rows
/// of the site) after its first call: tens of nanoseconds, with the chosen implementation's own refusal.
/// Throws InvalidArgument (unknown name: lists the known ones) or Unavailable (cannot run here: why).
TANDEM_API Choice choose(const CallSite& site, const void* shape, const Features& features,
                         const Context& ctx, const Options& options);

struct Machine {  // where a choice is made
  Place place;
  std::string name;
  int multiprocessors;
  bool here;  // else nothing is known of what can run there, and all implementations count
};
/// For tests: what the automatic choice names on another machine, by the recorded measurements.
TANDEM_API std::string choose_elsewhere(const Machine& machine, const CallSite& site, const void* shape,
                                        const Features& features, Precision allowed = Precision::full);

}  // namespace tandem
