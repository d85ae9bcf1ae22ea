// The plugin that moves data between ranks: missing, no plugin, of another version. Without mpirun, and without MPI.

#include <cstdlib>

#include "tandem/communicator.h"
#include "tests/support.h"

TEST_SUITE_BEGIN("plugin");

namespace tandem {
namespace {

std::string refused(const char* plugin) {
  setenv("TANDEM_MPI", plugin, 1);
  Context ctx = Context::host();
  return thrown<Unavailable>([&] { Communicator::mpi(ctx); });
}

TEST_CASE("a plugin that cannot be used is named, with what to do") {
  const std::string missing = refused("/nowhere/libtandem_mpi.so");
  CHECK(contains(missing, "/nowhere/libtandem_mpi.so"));
  CHECK(contains(missing, "install libopenmpi-dev"));
  CHECK(contains(refused("libm.so.6"), "no plugin of Tandem"));
  CHECK(contains(refused(TANDEM_OTHER_VERSION), "is of version 1000000, this library needs version"));
}

}  // namespace
}  // namespace tandem
