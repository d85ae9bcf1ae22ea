// A CUDA device as the place of a context.

#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "lib/core/backend.h"
#include "tandem/error.h"

namespace tandem {
namespace {

// Throws for a failed call. A non-sticky error is cleared, so the context stays usable.
void check(cudaError_t code, const char* call) {
  if (code == cudaSuccess) return;
  cudaGetLastError();
  throw DeviceError(call, code, cudaGetErrorString(code));
}

// Exists to ask whether this build holds code for the GPU.
__global__ void probe() {}

// Makes `device` current for a scope and restores the caller's own afterwards.
class DeviceScope {
 public:
  explicit DeviceScope(int device) {
    check(cudaGetDevice(&previous_), "cudaGetDevice");
    if (previous_ != device) check(cudaSetDevice(device), "cudaSetDevice");
  }
  ~DeviceScope() {
    if (cudaSetDevice(previous_) != cudaSuccess) cudaGetLastError();
  }

 private:
  int previous_ = 0;
};

template <auto destroy>
struct By {
  template <class T>
  void operator()(T* object) const {
    if (destroy(object) != cudaSuccess) cudaGetLastError();
  }
};
using Stream = std::unique_ptr<CUstream_st, By<cudaStreamDestroy>>;
using Event = std::unique_ptr<CUevent_st, By<cudaEventDestroy>>;

Stream make_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream), "cudaStreamCreate");
  return Stream(stream);
}
Event make_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreate(&event), "cudaEventCreate");
  return Event(event);
}

class CudaBackend : public Backend {
 public:
  CudaBackend(int device, void* stream, Allocator* allocator)
      : device_(device), stream_(static_cast<cudaStream_t>(stream)), allocator_(allocator) {
    DeviceScope scope(device_);
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, device_), "cudaGetDeviceProperties");
    name_ = properties.name;
    multiprocessors_ = properties.multiProcessorCount;
    architecture_ = 10 * properties.major + properties.minor;
    cache_bytes_ = static_cast<std::size_t>(properties.l2CacheSize);
    // A stream of our own keeps order with the legacy default stream, and unlike it can be captured.
    if (!stream_) own_stream_ = make_stream();
    if (!stream_) stream_ = own_stream_.get();
    unit_.assign(properties.uuid.bytes, sizeof properties.uuid.bytes);
    start_ = make_event();
    stop_ = make_event();
    mark_ = make_event();
  }

  Place place() const override { return Place::device; }
  std::string description() const override { return name_; }
  int multiprocessors() const override { return multiprocessors_; }
  int architecture() const override { return architecture_; }
  std::string unit() const override { return unit_; }
  std::size_t cache_bytes() const override { return cache_bytes_; }
  void* stream() const override { return stream_; }

  void* allocate(std::size_t bytes) override {
    DeviceScope scope(device_);
    void* memory = nullptr;
    if (allocator_) {
      memory = allocator_->allocate(bytes);
    } else if (const cudaError_t code = take(&memory, bytes); code != cudaErrorMemoryAllocation) {
      check(code, taking());
    } else {
      cudaGetLastError();
    }
    if (!memory && bytes) {
      std::size_t free = 0, total = 0;
      if (cudaMemGetInfo(&free, &total) != cudaSuccess) cudaGetLastError();
      throw OutOfMemory(name_, bytes, free);
    }
    return memory;
  }
  void release(void* memory, std::size_t bytes) noexcept override {
    // A pool may hand the memory out at once; cudaFree waits by itself.
    if ((allocator_ ? cudaStreamSynchronize(stream_) : cudaFree(memory)) != cudaSuccess) cudaGetLastError();
    if (allocator_) allocator_->release(memory, bytes);
  }
  void copy(void* to, const void* from, std::size_t bytes) override {
    if (bytes) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_), "cudaMemcpyAsync");
  }
  void fill(void* memory, int byte, std::size_t bytes) override {
    if (bytes) check(cudaMemsetAsync(memory, byte, bytes, stream_), "cudaMemsetAsync");
  }
  void copy_lines(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t bytes,
                  std::size_t lines) override {
    constexpr std::size_t kMostPitch = 0x7fffffff;
    if (bytes == 0 || lines == 0) return;
    if (lines == 1 || std::max(to_pitch, from_pitch) > kMostPitch)
      return Backend::copy_lines(to, to_pitch, from, from_pitch, bytes, lines);
    check(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, bytes, lines, cudaMemcpyDefault, stream_),
          "cudaMemcpy2DAsync");
  }
  void wait() override { check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }
  void mark() override { check(cudaEventRecord(mark_.get(), stream_), "cudaEventRecord"); }
  bool is_past_mark() const noexcept override { return cudaEventQuery(mark_.get()) != cudaErrorNotReady; }

  std::string why_not(const void* address) const override {
    if (type_of(address) != cudaMemoryTypeUnregistered) return {};
    return "is host memory, but the context computes on " + name_ + "; copy it with tandem::Array";
  }

  double seconds(const std::function<void()>& work) override {
    check(cudaEventRecord(start_.get(), stream_), "cudaEventRecord");
    work();
    check(cudaEventRecord(stop_.get(), stream_), "cudaEventRecord");
    check(cudaEventSynchronize(stop_.get()), "cudaEventSynchronize");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()), "cudaEventElapsedTime");
    return milliseconds * 1e-3;
  }
  std::function<void()> record(std::function<void()> work) override {
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    try {
      work();
    } catch (...) {
      cudaStreamEndCapture(stream_, &graph);
      if (graph) cudaGraphDestroy(graph);
      cudaGetLastError();
      throw;
    }
    check(cudaStreamEndCapture(stream_, &graph), "cudaStreamEndCapture");
    const std::unique_ptr<CUgraph_st, By<cudaGraphDestroy>> recorded(graph);
    cudaGraphExec_t instance = nullptr;
    check(cudaGraphInstantiate(&instance, graph, 0), "cudaGraphInstantiate");
    const std::shared_ptr<CUgraphExec_st> owner(instance, By<cudaGraphExecDestroy>{});
    return [owner, stream = stream_] { check(cudaGraphLaunch(owner.get(), stream), "cudaGraphLaunch"); };
  }
  void enter(const char* call) override {
    check(cudaGetDevice(&callers_device_), "cudaGetDevice");
    if (callers_device_ != device_) check(cudaSetDevice(device_), "cudaSetDevice");
    nvtxRangePushA(call);
  }
  void leave() noexcept override {
    if (callers_device_ != device_ && cudaSetDevice(callers_device_) != cudaSuccess) cudaGetLastError();
    nvtxRangePop();
  }

 protected:
  int device() const { return device_; }
  static cudaMemoryType type_of(const void* address) {
    cudaPointerAttributes attributes;
    const cudaError_t code = cudaPointerGetAttributes(&attributes, address);
    if (code != cudaErrorInvalidValue) {
      check(code, "cudaPointerGetAttributes");
      return attributes.type;
    }
    cudaGetLastError();
    return cudaMemoryTypeUnregistered;
  }

 private:
  virtual cudaError_t take(void** memory, std::size_t bytes) { return cudaMalloc(memory, bytes); }
  virtual const char* taking() const { return "cudaMalloc"; }

  int device_, multiprocessors_, architecture_, callers_device_ = 0;
  std::size_t cache_bytes_;
  cudaStream_t stream_;
  Stream own_stream_;
  Event start_, stop_, mark_;
  Allocator* allocator_;
  std::string name_, unit_;
};

// Takes managed memory, whose pages move to whoever touches them, and copies nothing to the device or from
// it.
class ManagedBackend : public CudaBackend {
 public:
  explicit ManagedBackend(int index) : CudaBackend(index, nullptr, nullptr) {
    DeviceScope scope(index);
    std::size_t total = 0;
    check(cudaMemGetInfo(&most_, &total), "cudaMemGetInfo");
  }

  void copy(void* to, const void* from, std::size_t bytes) override {
    const cudaMemoryType target = type_of(to), source = type_of(from);
    // Between managed memory and the CPU's own the CPU copies.
    if (target == source || target == cudaMemoryTypeDevice || source == cudaMemoryTypeDevice)
      return CudaBackend::copy(to, from, bytes);
    if (bytes == 0) return;
    DeviceScope scope(device());
    // Not our stream alone: some GPUs let the CPU touch managed memory only while no kernel runs.
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    std::memcpy(to, from, bytes);
  }

 private:
  // The driver would hand out more than the GPU can hold, whose pages then move with every touch.
  cudaError_t take(void** memory, std::size_t bytes) override {
    return bytes > most_ ? cudaErrorMemoryAllocation : cudaMallocManaged(memory, bytes);
  }
  const char* taking() const override { return "cudaMallocManaged"; }

  std::size_t most_ = 0;  // bytes of one piece: what was free at the start
};

void require_device(int index) {
  if (const std::string reason = why_no_device(); !reason.empty()) throw Unavailable(reason);
  int count = 0;
  check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  if (index < 0 || index >= count) {
    throw InvalidArgument("Context: device index is " + std::to_string(index) + ", but there are " +
                          std::to_string(count) + " devices, numbered from 0");
  }
}

}  // namespace

namespace {
/// final: asking again would give the same.
std::string ask_for_device(bool& final) {
  int count = 0;  // left unwritten when there is no driver
  cudaError_t code = cudaGetDeviceCount(&count);
  cudaFuncAttributes attributes;
  if (code == cudaSuccess && count > 0) code = cudaFuncGetAttributes(&attributes, probe);
  if (code == cudaSuccess) return count > 0 ? "" : "needs a GPU (the CUDA driver sees none)";
  cudaGetLastError();
  if (code == cudaErrorInsufficientDriver || code == cudaErrorNoDevice)
    return "needs a GPU (no CUDA driver found)";
  if (code == cudaErrorNoKernelImageForDevice || code == cudaErrorInvalidDeviceFunction)
    return "was not compiled for this GPU's architecture (set CMAKE_CUDA_ARCHITECTURES)";
  final = false;
  return std::string("needs a GPU (") + cudaGetErrorString(code) + ")";
}
}  // namespace

std::string why_no_device() {
  static std::mutex mutex;
  static std::optional<std::string> known;
  const std::lock_guard lock(mutex);
  if (known) return *known;
  bool final = true;
  const std::string reason = ask_for_device(final);
  if (final) known = reason;
  return reason;
}

int device_count() {
  if (!why_no_device().empty()) return 0;
  int count = 0;
  check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  return count;
}

int device_architecture() {
  if (!why_no_device().empty()) return 0;
  static const int architecture = [] {
    int major = 0, minor = 0;
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "cudaDeviceGetAttribute");
    check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0), "cudaDeviceGetAttribute");
    return 10 * major + minor;
  }();
  return architecture;
}

std::shared_ptr<Backend> make_device_backend(int index, void* stream, Allocator* allocator) {
  require_device(index);
  return std::make_shared<CudaBackend>(index, stream, allocator);
}

std::shared_ptr<Backend> make_managed_backend(int index) {
  require_device(index);
  int managed = 0;
  check(cudaDeviceGetAttribute(&managed, cudaDevAttrManagedMemory, index), "cudaDeviceGetAttribute");
  if (!managed) throw Unavailable("needs managed memory, which this GPU does not have");
  return std::make_shared<ManagedBackend>(index);
}

}  // namespace tandem
