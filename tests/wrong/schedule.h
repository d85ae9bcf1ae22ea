#pragma once
// The library of wrong kernels has an executor of its own; this sets its schedule.

#include "lib/core/export.h"
#include "lib/simt/executor.h"

namespace tandem::wrong {

TANDEM_API void set_schedule(simt::Schedule schedule);

}  // namespace tandem::wrong
