#pragma once
// OpenBLAS, for the rows of all operations. It is loaded by the first call that needs it: loading starts a thread per
// core, each of which takes a buffer at once and, where it gets none, tries for ever, at the end of the program too.

#include <dlfcn.h>
#include <openblas_config.h>
#include <sys/mman.h>

#include <atomic>
#include <climits>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "tandem/error.h"

namespace tandem {

inline const std::string kOpenblas(OPENBLAS_VERSION + 1, sizeof OPENBLAS_VERSION - 3);  // without its blanks

/// Whether lines of `length` elements with a gap behind each have a leading dimension that an int holds.
inline bool fits_int(std::int64_t length, std::int64_t gap) {
  return length <= INT_MAX && gap <= INT_MAX - length;
}

namespace openblas_library {

constexpr const char* kFile = "libopenblas.so.0";
/// What OpenBLAS takes of the address space: itself, and for each thread, the calling one included, a buffer and a
/// stack.
constexpr std::size_t kLibraryBytes = std::size_t{64} << 20, kThreadBytes = std::size_t{128 + 8} << 20;

inline std::atomic<void*> loaded = nullptr;

/// Whether so much can be had at this moment, in pieces as OpenBLAS takes it.
inline bool there_is_room() {
  std::vector<std::size_t> wanted(std::max(1u, std::thread::hardware_concurrency()), kThreadBytes);
  wanted.push_back(kLibraryBytes);
  std::vector<void*> pieces;
  for (const std::size_t bytes : wanted) {
    void* piece = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (piece == MAP_FAILED) break;
    pieces.push_back(piece);
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) munmap(pieces[i], wanted[i]);
  return pieces.size() == wanted.size();
}

}  // namespace openblas_library

/// Why no call of OpenBLAS can be made now; empty when it can. Cheap once it is loaded, which this does.
inline std::string openblas_missing() {
  using namespace openblas_library;
  if (loaded) return "";
  if (!there_is_room()) return "OpenBLAS needs 136 MB of address space per core, which are not free here";
  void* library = dlopen(kFile, RTLD_NOW | RTLD_LOCAL);  // the same, however often
  if (!library) return "needs OpenBLAS, which cannot be loaded: " + std::string(dlerror());
  // The calling thread's buffer, which stays with OpenBLAS: what is free now may not be free later.
  const auto take = reinterpret_cast<void* (*)(int)>(dlsym(library, "blas_memory_alloc"));
  const auto give_back = reinterpret_cast<void (*)(void*)>(dlsym(library, "blas_memory_free"));
  if (take && give_back) give_back(take(0));
  loaded = library;
  return "";
}

/// A function of OpenBLAS, declared in its header, for a call that openblas_missing() does not refuse.
#define OPENBLAS(function)                                                                                  \
  [] {                                                                                                      \
    static const auto found =                                                                               \
        reinterpret_cast<decltype(&function)>(dlsym(::tandem::openblas_library::loaded.load(), #function)); \
    return found;                                                                                           \
  }()

}  // namespace tandem
