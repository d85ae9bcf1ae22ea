#include "lib/dist/engine.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "tandem/error.h"

namespace tandem {
namespace {

constexpr const char* kFile = "libtandem_mpi.so";

/// Beside the library, where both are built and installed.
std::string neighbour() {
  Dl_info mine;
  static const char here = 0;
  if (!dladdr(&here, &mine) || !mine.dli_fname) return kFile;
  const std::string library = mine.dli_fname;
  return library.substr(0, library.rfind('/') + 1) + kFile;
}

const Engine& loaded() {
  const char* named = std::getenv("TANDEM_MPI");
  const std::string file = named ? named : neighbour();
  // MPI loads parts of its own, which look for its functions among those that all see.
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    const std::string why = dlerror();
    throw Unavailable(
        fmt::format("Communicator: the plugin for MPI cannot be loaded ({}); it is built where CMake finds "
                    "MPI: install libopenmpi-dev "
                    "and openmpi-bin, and build again, or name one by TANDEM_MPI",
                    why));
  }
  const auto table = reinterpret_cast<const Engine* (*)()>(dlsym(library, kEngineSymbol));
  if (!table)
    throw Unavailable(
        fmt::format("Communicator: {} is no plugin of Tandem: it has no function {}", file, kEngineSymbol));
  const Engine& engine = *table();
  if (engine.version != kEngineVersion) {
    throw Unavailable(fmt::format(
        "Communicator: {} is of version {}, this library needs version {}; install both from one build", file,
        engine.version, kEngineVersion));
  }
  return engine;
}

}  // namespace

const Engine& mpi_engine() {
  static const Engine& engine = loaded();  // anew where it threw
  return engine;
}

}  // namespace tandem
