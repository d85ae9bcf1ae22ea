#include "lib/core/pivot_status.h"

#include "lib/core/context_impl.h"
#include "tandem/device/pivot.h"

namespace tandem::detail {

std::uint64_t* pivot_status(Context& ctx, const char* name,
                            SingularSystem (*error)(std::int64_t system, std::int64_t row)) {
  return translated([&] {
    auto* status = ctx.state<std::uint64_t>(name);
    ctx.impl().backend->after_waiting(name, [backend = ctx.impl().backend.get(), status, error] {
      std::uint64_t word = 0;
      backend->copy(&word, status, sizeof word);
      backend->wait();
      if (word == 0) return;
      backend->fill(status, 0, sizeof word);
      const auto [system, row] = PivotFailure::decode(word);
      throw error(system, row);
    });
    return status;
  });
}

}  // namespace tandem::detail
