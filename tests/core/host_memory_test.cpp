// Requests that the host cannot serve are refused before memory is promised.

#include "lib/core/host_memory.h"

#include "tandem/tandem.h"
#include "tests/support.h"

namespace tandem {

TEST_SUITE_BEGIN("host_memory");

TEST_CASE("more than there is is refused, with what was asked for and what is free") {
  const std::size_t free = free_host_memory();
  CHECK(free > 0);
  require_host_memory("nothing", 0);
  require_host_memory("a page", 4096);
  const std::string message =
      thrown<OutOfMemory>([&] { require_host_memory("a test", static_cast<double>(free) + 0x1p40); });
  CHECK(contains(message, "out of memory on the host for a test: asked for "));
  CHECK(contains(message, " free"));
  thrown<OutOfMemory>([] { require_host_memory("a test", 1e300); });
  // Linux would promise an array of all memory, and end the program that uses it.
  Context ctx = Context::host();
  if (free < std::size_t{1} << 60) {
    const auto more = static_cast<std::int64_t>(free) + (std::int64_t{1} << 36);
    CHECK(contains(thrown<OutOfMemory>([&] { Array<std::byte>(ctx, more); }),
                   "asked for " + std::to_string(more)));
  }
}

TEST_SUITE_END();

}  // namespace tandem
