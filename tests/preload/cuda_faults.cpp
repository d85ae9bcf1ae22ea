// A CUDA runtime, a cuBLAS, a cuSPARSE and a cuRAND that compute nothing: memory is the host's and zero, kernels do not
// run, and any call can be made to fail. libtandem is linked with it a second time, for device_faults_test.cpp,
// so that every CUDA call of every device row fails once on a machine without a GPU. It has all functions that
// the rows call, or that link would fail.

#include "tests/preload/cuda_faults.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <utility>

namespace {

class Runtime final : public tandem::CudaFaults {
 public:
  void fail_at(std::int64_t index) override {
    all_fail_ = false;
    fail_at_ = index;
    calls_ = 0;
    failed_ = nullptr;
  }
  void recover() override {
    all_fail_ = false;
    fail_at_ = -1;
    device = 0;
  }
  std::int64_t calls() const override { return calls_; }
  const char* failed() const override { return failed_; }
  bool failed_while_giving_back() const override { return giving_back_; }
  std::int64_t live() const override { return static_cast<std::int64_t>(memory_.size() + objects_.size()); }
  std::int64_t mismatches() const override { return mismatches_; }
  int error_left() override { return std::exchange(last_error, cudaSuccess); }

  /// Whether this call fails.
  bool fails(const char* name, bool gives_back = false) {
    if (calls_++ != fail_at_ && !all_fail_) return false;
    failed_ = name;
    giving_back_ = gives_back;
    return true;
  }
  cudaError_t call(const char* name, cudaError_t failure = cudaErrorUnknown) {
    return fails(name) ? last_error = failure : cudaSuccess;
  }
  template <class T>
  cudaError_t make(const char* name, T** object) {
    if (const cudaError_t code = call(name)) return code;
    *object = reinterpret_cast<T*>(new_object());
    return cudaSuccess;
  }
  /// Given back even where the call fails: its error may be an earlier one's.
  bool give_back_fails(const char* name, void* object) {
    if (object && objects_.erase(object) == 0) ++mismatches_;
    std::free(object);
    return fails(name, true);
  }
  cudaError_t give_back(const char* name, void* object) {
    return give_back_fails(name, object) ? last_error = cudaErrorUnknown : cudaSuccess;
  }
  void* new_object() { return *objects_.insert(std::malloc(1)).first; }

  cudaError_t take_memory(const char* name, void** memory, std::size_t bytes, cudaMemoryType type) {
    if (const cudaError_t code = call(name, cudaErrorMemoryAllocation)) return code;
    const std::size_t rounded = (bytes + 255) / 256 * 256;
    *memory = bytes ? std::aligned_alloc(256, rounded) : nullptr;
    if (*memory) {
      std::memset(*memory, 0, rounded);
      memory_[static_cast<char*>(*memory)] = {rounded, type};
    }
    return cudaSuccess;
  }
  cudaError_t give_memory_back(void* memory) {
    if (memory && memory_.erase(static_cast<char*>(memory)) == 0) ++mismatches_;
    std::free(memory);
    return fails("cudaFree", true) ? last_error = cudaErrorUnknown : cudaSuccess;
  }
  cudaMemoryType type_of(const void* address) const {
    auto after = memory_.upper_bound(static_cast<char*>(const_cast<void*>(address)));
    if (after == memory_.begin()) return cudaMemoryTypeUnregistered;
    const auto& [begin, block] = *--after;
    return static_cast<const char*>(address) < begin + block.bytes ? block.type : cudaMemoryTypeUnregistered;
  }

  cudaError_t last_error = cudaSuccess;
  int device = 0;

 private:
  struct Block {
    std::size_t bytes;
    cudaMemoryType type;
  };
  // What asks for a device while a program starts is told that there is none.
  bool all_fail_ = std::getenv("TANDEM_CUDA_FAILS_AT_START");
  std::int64_t fail_at_ = -1, calls_ = 0, mismatches_ = 0;
  const char* failed_ = nullptr;
  bool giving_back_ = false;
  std::map<char*, Block> memory_;
  std::set<void*> objects_;
};

Runtime& runtime() {
  static Runtime& instance = *new Runtime;  // libraries give back until the very end
  return instance;
}

constexpr int kLibraryFailure = 14;  // CUBLAS_STATUS_INTERNAL_ERROR; cuSPARSE and cuRAND take any number

int library_call(const char* name) { return runtime().fails(name) ? kLibraryFailure : 0; }
int make_for_library(const char* name, void** object) {
  if (const int code = library_call(name)) return code;
  *object = runtime().new_object();
  return 0;
}

CUresult encode_tensor_map() {
  return runtime().fails("cuTensorMapEncodeTiled") ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

std::map<int, void*> fft_plans;  // cuFFT's are numbers

constexpr std::uintptr_t kWatched = 9000;
std::atomic<int> waits = 0;  // for that stream

}  // namespace

extern "C" {

tandem::CudaFaults* tandem_cuda_faults() { return &runtime(); }

// --- what nvcc places in every object: kernels are registered, and never fail there

void** __cudaRegisterFatBinary(void*) {
  static void* handle = nullptr;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 1; }
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}
unsigned __cudaPushCallConfiguration(dim3, dim3, std::size_t, void*) { return 0; }
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  *grid = *block = dim3{1, 1, 1};
  *shared = 0;
  *static_cast<cudaStream_t*>(stream) = nullptr;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(function));
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, std::size_t, cudaStream_t) {
  return runtime().call("cudaLaunchKernel");
}

// --- errors, which never fail

cudaError_t cudaGetLastError() { return std::exchange(runtime().last_error, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return runtime().last_error; }
const char* cudaGetErrorString(cudaError_t) { return "made to fail"; }
const char* cudaGetErrorName(cudaError_t) { return "cudaErrorMadeToFail"; }

// --- devices: two, like a small H200

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 2;
  return runtime().call("cudaGetDeviceCount");
}
cudaError_t cudaGetDevice(int* device) {
  if (const cudaError_t code = runtime().call("cudaGetDevice")) return code;
  *device = runtime().device;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (const cudaError_t code = runtime().call("cudaSetDevice")) return code;
  runtime().device = device;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  if (const cudaError_t code = runtime().call("cudaGetDeviceProperties")) return code;
  *properties = {};
  std::strcpy(properties->name, "GPU that computes nothing");
  properties->multiProcessorCount = 4;
  properties->major = 9;
  properties->l2CacheSize = 1 << 20;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  if (const cudaError_t code = runtime().call("cudaDeviceGetAttribute")) return code;
  switch (attribute) {
    case cudaDevAttrComputeCapabilityMajor:
      *value = 9;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      *value = 0;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = 4;
      break;
    case cudaDevAttrWarpSize:
      *value = 32;
      break;
    case cudaDevAttrMaxThreadsPerBlock:
      *value = 1024;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = 2048;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = 48 << 10;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = 227 << 10;
      break;
    case cudaDevAttrMaxGridDimX:
      *value = INT32_MAX;
      break;
    default:
      *value = 1;
  }
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() { return runtime().call("cudaDeviceSynchronize"); }

// --- memory

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  return runtime().take_memory("cudaMalloc", memory, bytes, cudaMemoryTypeDevice);
}
cudaError_t cudaMallocManaged(void** memory, std::size_t bytes, unsigned) {
  return runtime().take_memory("cudaMallocManaged", memory, bytes, cudaMemoryTypeManaged);
}
cudaError_t cudaFree(void* memory) { return runtime().give_memory_back(memory); }
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  if (const cudaError_t code = runtime().call("cudaMemGetInfo")) return code;
  *free = *total = std::size_t{1} << 32;
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t) {
  if (const cudaError_t code = runtime().call("cudaMemcpyAsync")) return code;
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t bytes, std::size_t lines, cudaMemcpyKind, cudaStream_t) {
  if (const cudaError_t code = runtime().call("cudaMemcpy2DAsync")) return code;
  for (std::size_t line = 0; line < lines; ++line)
    std::memcpy(static_cast<char*>(to) + line * to_pitch, static_cast<const char*>(from) + line * from_pitch,
                bytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int byte, std::size_t bytes, cudaStream_t) {
  if (const cudaError_t code = runtime().call("cudaMemsetAsync")) return code;
  std::memset(memory, byte, bytes);
  return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* address) {
  if (const cudaError_t code = runtime().call("cudaPointerGetAttributes")) return code;
  *attributes = {};
  attributes->type = runtime().type_of(address);
  return cudaSuccess;
}

// --- streams, events, graphs

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return runtime().make("cudaStreamCreate", stream); }
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return runtime().give_back("cudaStreamDestroy", stream);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  waits += reinterpret_cast<std::uintptr_t>(stream) == kWatched;
  return runtime().call("cudaStreamSynchronize");
}
/// How often the stream of address 9000 was waited for: python/tests/test_gpu.py destroys it.
int tandem_waits_for_9000() { return waits; }
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
  *status = cudaStreamCaptureStatusNone;
  return runtime().call("cudaStreamIsCapturing");
}
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
  return runtime().call("cudaStreamBeginCapture");
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) {
  return runtime().make("cudaStreamEndCapture", graph);
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* instance, cudaGraph_t, unsigned long long) {
  return runtime().make("cudaGraphInstantiate", instance);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) { return runtime().call("cudaGraphLaunch"); }
cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return runtime().give_back("cudaGraphDestroy", graph); }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t instance) {
  return runtime().give_back("cudaGraphExecDestroy", instance);
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return runtime().make("cudaEventCreate", event); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return runtime().give_back("cudaEventDestroy", event); }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return runtime().call("cudaEventRecord"); }
cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  if (const cudaError_t code = runtime().call("cudaMemset")) return code;
  std::memset(to, value, bytes);
  return cudaSuccess;
}
// Memory of this process is that of its peers, too.
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* memory) {
  if (const cudaError_t code = runtime().call("cudaIpcGetMemHandle")) return code;
  std::memcpy(handle, &memory, sizeof memory);
  return cudaSuccess;
}
cudaError_t cudaIpcOpenMemHandle(void** memory, cudaIpcMemHandle_t handle, unsigned) {
  if (const cudaError_t code = runtime().call("cudaIpcOpenMemHandle")) return code;
  std::memcpy(memory, &handle, sizeof *memory);
  return cudaSuccess;
}
cudaError_t cudaIpcCloseMemHandle(void*) { return runtime().call("cudaIpcCloseMemHandle"); }
cudaError_t cudaEventQuery(cudaEvent_t) { return runtime().call("cudaEventQuery"); }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return runtime().call("cudaEventSynchronize"); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  *milliseconds = 1;
  return runtime().call("cudaEventElapsedTime");
}

// --- kernels

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  if (const cudaError_t code = runtime().call("cudaFuncGetAttributes")) return code;
  *attributes = {};
  attributes->binaryVersion = attributes->ptxVersion = 90;
  attributes->maxThreadsPerBlock = 1024;
  attributes->numRegs = 32;
  attributes->maxDynamicSharedSizeBytes = 48 << 10;
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) {
  return runtime().call("cudaFuncSetAttribute");
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int, std::size_t) {
  *blocks = 2;
  return runtime().call("cudaOccupancyMaxActiveBlocksPerMultiprocessor");
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int, std::size_t,
                                                                   unsigned) {
  *blocks = 2;
  return runtime().call("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags");
}
cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, std::size_t, cudaStream_t) {
  return runtime().call("cudaLaunchKernel");
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**) {
  return runtime().call("cudaLaunchKernelExC");
}
cudaError_t cudaGetDriverEntryPointByVersion(const char*, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* found) {
  if (const cudaError_t code = runtime().call("cudaGetDriverEntryPointByVersion")) return code;
  *function = reinterpret_cast<void*>(&encode_tensor_map);
  *found = cudaDriverEntryPointSuccess;
  return cudaSuccess;
}

// --- cuBLAS, cuSPARSE, cuRAND and cuFFT, without their headers: arguments that are not looked at are not declared

#define MAKES(name) \
  int name(void** object) { return make_for_library(#name, object); }
#define GIVES_BACK(name) \
  int name(void* object) { return runtime().give_back_fails(#name, object) ? kLibraryFailure : 0; }
#define SUCCEEDS(name) \
  int name() { return library_call(#name); }

MAKES(cublasCreate_v2)
GIVES_BACK(cublasDestroy_v2)
SUCCEEDS(cublasSetStream_v2)
SUCCEEDS(cublasSetWorkspace_v2)
SUCCEEDS(cublasSetMathMode)
SUCCEEDS(cublasSgemm_v2_64)
SUCCEEDS(cublasDgemm_v2_64)
SUCCEEDS(cublasGemmEx_64)
SUCCEEDS(cublasSgeam_64)
SUCCEEDS(cublasDgeam_64)
const char* cublasGetStatusString(int) { return "made to fail"; }

MAKES(cublasLtCreate)
GIVES_BACK(cublasLtDestroy)
MAKES(cublasLtMatmulDescCreate)
GIVES_BACK(cublasLtMatmulDescDestroy)
SUCCEEDS(cublasLtMatmulDescSetAttribute)
MAKES(cublasLtMatrixLayoutCreate)
GIVES_BACK(cublasLtMatrixLayoutDestroy)
MAKES(cublasLtMatmulPreferenceCreate)
GIVES_BACK(cublasLtMatmulPreferenceDestroy)
SUCCEEDS(cublasLtMatmulPreferenceSetAttribute)
SUCCEEDS(cublasLtMatmul)
int cublasLtMatmulAlgoGetHeuristic(void*, void*, void*, void*, void*, void*, void*, int, void* results,
                                   int* count) {
  if (const int code = library_call("cublasLtMatmulAlgoGetHeuristic")) return code;
  std::memset(results, 0, 128);  // the first one, whose state is 0: success
  *count = 1;
  return 0;
}

MAKES(cusparseCreate)
GIVES_BACK(cusparseDestroy)
SUCCEEDS(cusparseSetStream)
const char* cusparseGetErrorString(int) { return "made to fail"; }
SUCCEEDS(cusparseSgtsv2)
SUCCEEDS(cusparseDgtsv2)
SUCCEEDS(cusparseSgtsv2_nopivot)
SUCCEEDS(cusparseDgtsv2_nopivot)
SUCCEEDS(cusparseSgtsv2StridedBatch)
SUCCEEDS(cusparseDgtsv2StridedBatch)
SUCCEEDS(cusparseSgtsvInterleavedBatch)
SUCCEEDS(cusparseDgtsvInterleavedBatch)
SUCCEEDS(cusparseSgtsv2_bufferSizeExt)
SUCCEEDS(cusparseDgtsv2_bufferSizeExt)
SUCCEEDS(cusparseSgtsv2_nopivot_bufferSizeExt)
SUCCEEDS(cusparseDgtsv2_nopivot_bufferSizeExt)
SUCCEEDS(cusparseSgtsv2StridedBatch_bufferSizeExt)
SUCCEEDS(cusparseDgtsv2StridedBatch_bufferSizeExt)
SUCCEEDS(cusparseSgtsvInterleavedBatch_bufferSizeExt)
SUCCEEDS(cusparseDgtsvInterleavedBatch_bufferSizeExt)
MAKES(cusparseCreateConstCsr)
MAKES(cusparseCreateCsr)
MAKES(cusparseCreateConstSlicedEll)
MAKES(cusparseCreateConstBsr)
SUCCEEDS(cusparseSpMatSetAttribute)
GIVES_BACK(cusparseDestroySpMat)
MAKES(cusparseCreateConstDnVec)
MAKES(cusparseCreateDnVec)
GIVES_BACK(cusparseDestroyDnVec)
SUCCEEDS(cusparseSpMV_bufferSize)
SUCCEEDS(cusparseSpMV)
MAKES(cusparseCreateConstDnMat)
MAKES(cusparseCreateDnMat)
GIVES_BACK(cusparseDestroyDnMat)
SUCCEEDS(cusparseSpMM_bufferSize)
SUCCEEDS(cusparseSpMM)
MAKES(cusparseSpSV_createDescr)
GIVES_BACK(cusparseSpSV_destroyDescr)
SUCCEEDS(cusparseSpSV_bufferSize)
SUCCEEDS(cusparseSpSV_analysis)
SUCCEEDS(cusparseSpSV_updateMatrix)
SUCCEEDS(cusparseSpSV_solve)

MAKES(curandCreateGenerator)
GIVES_BACK(curandDestroyGenerator)
SUCCEEDS(curandSetStream)
SUCCEEDS(curandSetPseudoRandomGeneratorSeed)
SUCCEEDS(curandSetQuasiRandomGeneratorDimensions)
SUCCEEDS(curandSetGeneratorOffset)
SUCCEEDS(curandGenerate)
SUCCEEDS(curandGenerateUniform)
SUCCEEDS(curandGenerateUniformDouble)
SUCCEEDS(curandGenerateNormal)
SUCCEEDS(curandGenerateNormalDouble)
SUCCEEDS(curandGenerateLogNormal)
SUCCEEDS(curandGenerateLogNormalDouble)
SUCCEEDS(curandGeneratePoisson)

int cufftCreate(int* plan) {
  void* object = nullptr;
  if (const int code = make_for_library("cufftCreate", &object)) return code;
  fft_plans[*plan = static_cast<int>(fft_plans.size())] = object;
  return 0;
}
int cufftDestroy(int plan) {
  return runtime().give_back_fails("cufftDestroy", fft_plans[plan]) ? kLibraryFailure : 0;
}
SUCCEEDS(cufftSetAutoAllocation)
SUCCEEDS(cufftMakePlanMany64)
SUCCEEDS(cufftSetStream)
SUCCEEDS(cufftSetWorkArea)
SUCCEEDS(cufftExecC2C)
SUCCEEDS(cufftExecZ2Z)
SUCCEEDS(cufftExecR2C)
SUCCEEDS(cufftExecC2R)
SUCCEEDS(cufftExecD2Z)
SUCCEEDS(cufftExecZ2D)

}  // extern "C"
