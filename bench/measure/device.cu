// Kernels that bound others: streams through memory, where every word is moved once, 16 bytes at a time, and
// arithmetic on registers; a neutral kernel; and what a captured graph tells of a call.

#include "bench/measure/device.h"

#include <cuda_runtime.h>

#include <fstream>
#include <memory>
#include <vector>

#include "tandem/device/launch.cuh"

namespace tandem::command {
namespace {

constexpr int kThreads = 512;

// --- streams ---

constexpr int kInFlight = 4;  // packs of each array that a thread asks for at once

__device__ ulonglong2 both(ulonglong2 a, ulonglong2 b) { return {a.x ^ b.x, a.y ^ b.y}; }

template <int kReads, bool kWrites>
__global__ void __launch_bounds__(kThreads)
    stream_words(const ulonglong2* from, ulonglong2* to, std::int64_t packs) {
  const std::int64_t stride = std::int64_t(gridDim.x) * kThreads;
  ulonglong2 sum{};
  for (std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x; i < packs;
       i += kInFlight * stride) {
    ulonglong2 packs_of[kInFlight][kReads];
#pragma unroll
    for (int f = 0; f < kInFlight; ++f) {
#pragma unroll
      for (int r = 0; r < kReads; ++r)
        packs_of[f][r] = i + f * stride < packs ? from[r * packs + i + f * stride] : ulonglong2{};
    }
#pragma unroll
    for (int f = 0; f < kInFlight; ++f) {
      ulonglong2 value = packs_of[f][0];
#pragma unroll
      for (int r = 1; r < kReads; ++r) value = both(value, packs_of[f][r]);
      if constexpr (!kWrites)
        sum = both(sum, value);
      else if (i + f * stride < packs)
        to[i + f * stride] = value;
    }
  }
  if (!kWrites && sum.x == 1) *to = sum;  // never, but the compiler cannot know
}

template <int kReads, bool kWrites>
void launch_stream(Context& ctx, bool waves, const std::uint64_t* from, std::uint64_t* to,
                   std::int64_t packs) {
  static const int per_multiprocessor =
      blocks_per_multiprocessor(ctx, kThreads, 0, stream_words<kReads, kWrites>);
  const std::int64_t pieces = ceil_div(packs, kThreads * kInFlight);
  const std::int64_t wave = std::int64_t{per_multiprocessor} * ctx.multiprocessors();
  launch(ctx, waves ? std::min(wave, pieces) : pieces, kThreads, 0, stream_words<kReads, kWrites>,
         reinterpret_cast<const ulonglong2*>(from), reinterpret_cast<ulonglong2*>(to), packs);
}

// --- arithmetic ---

constexpr int kChains = 8;  // independent multiply-adds per thread
constexpr int kSteps = 4096;

template <class T>
__global__ void __launch_bounds__(kThreads) multiply_adds(T factor, T summand, double* out) {
  T chains[kChains];
#pragma unroll
  for (int c = 0; c < kChains; ++c) chains[c] = T(threadIdx.x + c);
#pragma unroll 8
  for (int step = 0; step < kSteps; ++step) {
#pragma unroll
    for (int c = 0; c < kChains; ++c) chains[c] = chains[c] * factor + summand;
  }
  T sum = 0;
#pragma unroll
  for (int c = 0; c < kChains; ++c) sum += chains[c];
  if (sum == T(-1)) *out = double(sum);  // never, but the compiler cannot know
}

// Products of doubles on the tensor cores, in full precision: 16 × 8 results, 16 terms each, a warp and step.
constexpr int kMatrixChains = 4, kMatrixSteps = 512;
constexpr double kMatrixOperations = 2.0 * 16 * 8 * 16;

__global__ void __launch_bounds__(kThreads) multiply_matrices(double factor, double* out) {
#if __CUDA_ARCH__ >= 900
  double sums[kMatrixChains][4], a[8], b[4];
#pragma unroll
  for (int i = 0; i < 8; ++i) a[i] = factor * (threadIdx.x + i);
#pragma unroll
  for (int i = 0; i < 4; ++i) b[i] = factor * i;
#pragma unroll
  for (int c = 0; c < kMatrixChains; ++c) sums[c][0] = sums[c][1] = sums[c][2] = sums[c][3] = c;
#pragma unroll 4
  for (int step = 0; step < kMatrixSteps; ++step) {
#pragma unroll
    for (int c = 0; c < kMatrixChains; ++c) {
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
          "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
          : "+d"(sums[c][0]), "+d"(sums[c][1]), "+d"(sums[c][2]), "+d"(sums[c][3])
          : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]),
            "d"(b[1]), "d"(b[2]), "d"(b[3]));
    }
  }
  double sum = 0;
#pragma unroll
  for (int c = 0; c < kMatrixChains; ++c) sum += sums[c][0] + sums[c][1] + sums[c][2] + sums[c][3];
  if (sum == -1) *out = sum;  // never, but the compiler cannot know
#endif
}

// --- a kernel that is in nobody's way ---

__global__ void wait_a_while() {
  constexpr long long kCycles = 36000;  // about 20 µs
  const long long start = clock64();
  while (clock64() - start < kCycles) {
  }
}

}  // namespace

void stream_on_device(Context& ctx, int reads, bool writes, bool waves, const std::uint64_t* from,
                      std::uint64_t* to, std::int64_t words) {
  using Launch = void (*)(Context&, bool, const std::uint64_t*, std::uint64_t*, std::int64_t);
  constexpr Launch kWriting[] = {launch_stream<1, true>, launch_stream<2, true>, launch_stream<3, true>,
                                 launch_stream<4, true>};
  (writes ? kWriting[reads - 1] : launch_stream<1, false>)(ctx, waves, from, to, words / 2);
}

double multiply_add_on_device(Context& ctx, Type type, bool matrices, double* out, bool run) {
  const std::int64_t blocks = std::int64_t{4} * 2048 / kThreads * ctx.multiprocessors();
  if (matrices && size_of(type) == 2) return multiply_tiles_on_device(ctx, type, out, run);
  if (matrices) {
    if (type != Type::f64 || ctx.architecture() < 90) return 0;
    if (run) launch(ctx, blocks, kThreads, 0, multiply_matrices, 0.25, out);
    return kMatrixOperations * kMatrixSteps * kMatrixChains * kThreads / 32 * static_cast<double>(blocks);
  }
  if (run && type == Type::f64)
    launch(ctx, blocks, kThreads, 0, multiply_adds<double>, 0.5, 0.25, out);
  else if (run)
    launch(ctx, blocks, kThreads, 0, multiply_adds<float>, 0.5f, 0.25f, out);
  return 2.0 * kSteps * kChains * kThreads * static_cast<double>(blocks);
}

void neutral_kernel(Context& ctx) { launch(ctx, ctx.multiprocessors(), 32, 0, wait_a_while); }

std::shared_ptr<std::byte[]> pinned_memory(Context& ctx, std::size_t bytes) {
  void* memory = nullptr;
  check_cuda(cudaMallocHost(&memory, bytes), ctx, "cudaMallocHost");
  return {static_cast<std::byte*>(memory), [](std::byte* pinned) { cudaFreeHost(pinned); }};
}

std::optional<bool> starts_early(Context& ctx, const std::function<void()>& work) {
  const auto stream = static_cast<cudaStream_t>(ctx.stream());
  cudaGraph_t captured = nullptr;
  check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), ctx, "cudaStreamBeginCapture");
  try {
    work();
    work();
  } catch (...) {
    if (cudaStreamEndCapture(stream, &captured) == cudaSuccess && captured) cudaGraphDestroy(captured);
    cudaGetLastError();
    throw;
  }
  check_cuda(cudaStreamEndCapture(stream, &captured), ctx, "cudaStreamEndCapture");
  const std::unique_ptr<CUgraph_st, cudaError_t (*)(cudaGraph_t)> graph(captured, cudaGraphDestroy);
#if CUDART_VERSION >= 13000
  std::size_t count = 0;
  check_cuda(cudaGraphGetEdges(captured, nullptr, nullptr, nullptr, &count), ctx, "cudaGraphGetEdges");
  std::vector<cudaGraphNode_t> from(count), to(count);
  std::vector<cudaGraphEdgeData> edges(count);
  check_cuda(cudaGraphGetEdges(captured, from.data(), to.data(), edges.data(), &count), ctx,
             "cudaGraphGetEdges");
  for (const cudaGraphEdgeData& edge : edges) {
    if (edge.type == cudaGraphDependencyTypeProgrammatic) return true;
  }
  return false;
#else
  return {};
#endif
}

std::string pci_address(const Context& ctx) {
  if (ctx.place() != Place::device) return {};
  int device = 0;
  char address[32] = "";
  check_cuda(cudaGetDevice(&device), ctx, "cudaGetDevice");
  check_cuda(cudaDeviceGetPCIBusId(address, sizeof address, device), ctx, "cudaDeviceGetPCIBusId");
  return address;
}

DeviceFacts device_facts(const Context& ctx) {
  int version = 0;
  check_cuda(cudaRuntimeGetVersion(&version), ctx, "cudaRuntimeGetVersion");
  DeviceFacts facts{std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10), ""};
  // "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build …"
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; facts.driver.empty() && file >> word;) {
    if (word[0] >= '0' && word[0] <= '9') facts.driver = word;
  }
  return facts;
}

}  // namespace tandem::command
