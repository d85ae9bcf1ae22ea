#pragma once
// The automatic choice: which implementation a call gets that asks for none.

#include "lib/core/registry.h"

namespace tandem {

/// The fastest of the recorded measurements (choice_table.inc) for this operation, device and size among those
/// that take the call; where nothing was measured, the vendor on a device and the last step of the ladder on
/// the host.
Choice choose_automatically(std::string_view operation, CaseId id, const void* shape, std::int64_t n,
                            const Context& ctx);

}  // namespace tandem
