// Stands in for cuda_backend.cu in a build without nvcc.

#include <dlfcn.h>

#include "lib/core/backend.h"
#include "tandem/error.h"

namespace tandem {

std::string why_no_device() {
  static const bool driver = dlopen("libcuda.so.1", RTLD_LAZY) != nullptr;
  return driver ? "needs device code (this build has none: make device)"
                : "needs a GPU (no CUDA driver found)";
}

int device_architecture() { return 0; }
int device_count() { return 0; }

std::shared_ptr<Backend> make_device_backend(int, void*, Allocator*) { throw Unavailable(why_no_device()); }
std::shared_ptr<Backend> make_managed_backend(int) { throw Unavailable(why_no_device()); }

}  // namespace tandem
