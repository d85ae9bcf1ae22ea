// Device memory that processes of one node share, by cudaIpc.

#include "lib/dist/peer_device.h"

#include <cuda_runtime.h>

#include <cstring>
#include <mutex>

#include "lib/core/context_impl.h"
#include "tandem/error.h"

namespace tandem::peer_device {
namespace {

/// The context's device is current, as in a call.
struct Inside {
  explicit Inside(Context& ctx) : place(backend(ctx)) { place.enter("tandem peers"); }
  Inside(const Inside&) = delete;
  ~Inside() { place.leave(); }
  Backend& place;
};

void check(cudaError_t code, const char* call) {
  if (code == cudaSuccess) return;
  cudaGetLastError();
  throw DeviceError(call, code, cudaGetErrorString(code));
}

/// What was given back. Never freed: another process may still have it open.
struct Kept {
  int device;
  std::int64_t bytes;
  std::byte* memory;
};
struct Store {
  std::mutex mutex;
  std::vector<Kept> all;
};
Store& store() {
  static auto& instance = *new Store;
  return instance;
}

int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  return device;
}

std::byte* kept(std::int64_t bytes) {
  const int device = current_device();
  Store& kept = store();
  const std::lock_guard lock(kept.mutex);
  for (auto k = kept.all.begin(); k != kept.all.end(); ++k) {
    if (k->device != device || k->bytes != bytes) continue;
    std::byte* const memory = k->memory;
    kept.all.erase(k);
    return memory;
  }
  return nullptr;
}

}  // namespace

Gpu gpu(Context& ctx) {
  if (ctx.place() != Place::device) throw Unavailable("the context computes on the host");
  const Inside inside(ctx);
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, current_device()), "cudaGetDeviceProperties");
  Gpu id;
  static_assert(sizeof properties.uuid == sizeof id);
  std::memcpy(id.data(), &properties.uuid, sizeof id);
  return id;
}

std::byte* take(Context& ctx, std::int64_t bytes, Handle& handle) {
  const Inside inside(ctx);
  std::byte* memory = kept(bytes);
  if (!memory)
    check(cudaMalloc(reinterpret_cast<void**>(&memory), static_cast<std::size_t>(bytes)), "cudaMalloc");
  check(cudaMemset(memory, 0, static_cast<std::size_t>(bytes)), "cudaMemset");
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");  // before others hear of it
  cudaIpcMemHandle_t shared;
  check(cudaIpcGetMemHandle(&shared, memory), "cudaIpcGetMemHandle");
  static_assert(sizeof shared == sizeof handle);
  std::memcpy(handle.data(), &shared, sizeof shared);
  return memory;
}

std::byte* open(Context& ctx, const Handle& handle) {
  const Inside inside(ctx);
  cudaIpcMemHandle_t shared;
  std::memcpy(&shared, handle.data(), sizeof shared);
  void* memory = nullptr;
  check(cudaIpcOpenMemHandle(&memory, shared, cudaIpcMemLazyEnablePeerAccess), "cudaIpcOpenMemHandle");
  return static_cast<std::byte*>(memory);
}

void give_back(Context& ctx, std::byte* taken, std::int64_t bytes,
               const std::vector<std::byte*>& opened) noexcept {
  try {
    const Inside inside(ctx);
    inside.place.wait();
    for (std::byte* memory : opened) {
      if (cudaIpcCloseMemHandle(memory) != cudaSuccess) cudaGetLastError();
    }
    if (!taken) return;
    Store& kept = store();
    const std::lock_guard lock(kept.mutex);
    kept.all.push_back({current_device(), bytes, taken});
  } catch (...) {  // a GPU that is gone needs nothing back
  }
}

}  // namespace tandem::peer_device
