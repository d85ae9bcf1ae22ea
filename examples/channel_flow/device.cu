// The loops of the GPU. The functors of scheme.h and sweep.h run one node per thread. A fused sweep has its
// own kernels: Thomas with one thread per line where lines are interleaved (x and y), and parallel cyclic
// reduction of one line per block, one row per thread, where a line is contiguous (z).

#include <tandem/functors.cuh>

#include <algorithm>
#include <chrono>

#include "loops.h"

namespace channel {
namespace {

using namespace tandem;

constexpr int kWarpSize = 32;
constexpr int kMostThreads = 256;  // of a block over nodes
constexpr int kLineThreads =
    64;                    // of a block of Thomas: small blocks, so that every multiprocessor gets some
constexpr int kAhead = 4;  // rows that Thomas loads together, to overlap their latency
// Parallel cyclic reduction keeps a row in a thread's registers, which bounds the threads of a block.
template <class T>
constexpr int kLongestLine = 4096 / sizeof(T);
constexpr int kWords =
    2 * kGroups + 4;  // of a row in shared memory: lower and upper per group, four right-hand sides

/// Block b = (i·extent[1] + j)·parts + part takes one part of the nodes (i, j, 0 … n − 1).
template <class F>
__global__ void at_nodes(F f, std::int64_t rows_per_plane, std::int64_t length, int parts) {
  const std::int64_t row = blockIdx.x / parts;
  const std::int64_t k = std::int64_t(blockIdx.x % parts) * blockDim.x + threadIdx.x;
  if (k >= length) return;
  const std::int64_t index[3] = {row / rows_per_plane, row % rows_per_plane, k};
  f(index);
}

/// Lines along x or y, a line per thread. The lanes of a warp have neighbouring z: loads are coalesced.
template <class T>
__global__ void __launch_bounds__(kLineThreads) sweep_lines(Sweep<T> f) {
  const Scheme<T>& s = f.scheme;
  const std::int64_t thread = std::int64_t(blockIdx.x) * kLineThreads + threadIdx.x;
  const int other = 1 - f.axis;
  if (thread < s.n[other] * s.n[2])
    f.template line<kAhead>(thread / s.n[2] * s.stride[other] + thread % s.n[2]);
}

/// A line along z per block, a row per thread. Each step eliminates the neighbours at distance 1, 2, 4, …
/// from every row.
template <class T>
__global__ void __launch_bounds__(kLongestLine<T>, 1) sweep_contiguous(Sweep<T> f) {
  auto shared = dynamic_shared<T>();
  const int n = int(f.scheme.n[2]), threads = int(blockDim.x), i = int(threadIdx.x);
  const std::int64_t at = std::int64_t(blockIdx.x) * n + i;
  T lower[kGroups], upper[kGroups], rhs[4];
  for (int g = 0; g < kGroups; ++g) lower[g] = upper[g] = 0;
  for (int a = 0; a < 4; ++a) rhs[a] = 0;
  if (i < n) {
    const T speed = f.speed(at), density = f.rho[at];
    T inverse[kGroups];
    for (int g = 0; g < kGroups; ++g) {
      const Row<T> row = matrix_row(f.scheme, f.axis, Group(g), f.weight, i, speed, density);
      inverse[g] = 1 / row.diag;
      lower[g] = i > 0 ? row.lower * inverse[g] : T(0);
      upper[g] = i + 1 < n ? row.upper * inverse[g] : T(0);
    }
    for (int a = 0; a < 4; ++a) rhs[a] = f.rhs[a][at] * inverse[group_of(a)];
  }
  for (int distance = 1; distance < n; distance *= 2) {
    __syncthreads();
    for (int g = 0; g < kGroups; ++g) {
      shared[2 * g * threads + i] = lower[g];
      shared[(2 * g + 1) * threads + i] = upper[g];
    }
    for (int a = 0; a < 4; ++a) shared[(2 * kGroups + a) * threads + i] = rhs[a];
    __syncthreads();
    // Beyond the ends lower or upper is zero, so any row may be read instead.
    const int before = i >= distance ? i - distance : i, after = i + distance < threads ? i + distance : i;
    T from_before[kGroups], from_after[kGroups], inverse[kGroups];
    for (int g = 0; g < kGroups; ++g) {
      const int l = 2 * g * threads, u = l + threads;
      from_before[g] = lower[g];
      from_after[g] = upper[g];
      inverse[g] = 1 / (1 - lower[g] * shared[u + before] - upper[g] * shared[l + after]);
      lower[g] = -lower[g] * shared[l + before] * inverse[g];
      upper[g] = -upper[g] * shared[u + after] * inverse[g];
    }
    for (int a = 0; a < 4; ++a) {
      const int r = (2 * kGroups + a) * threads, g = group_of(a);
      rhs[a] =
          (rhs[a] - from_before[g] * shared[r + before] - from_after[g] * shared[r + after]) * inverse[g];
    }
  }
  if (i < n) {
    for (int a = 0; a < 4; ++a) f.x[a][at] = rhs[a];
  }
}

template <class T>
class DeviceLoops final : public Loops<T> {
 public:
  explicit DeviceLoops(Context& ctx) : ctx_(ctx) {}
  ~DeviceLoops() override { release_marks(); }

  void run(const Start<T>& f) override { each("channel_flow/start", f.scheme.n, f); }
  void run(const Residual<T>& f) override { each("channel_flow/residual", f.scheme.n, f); }
  void run(const Fraction<T>& f) override { each("channel_flow/fraction", f.scheme.n, f); }
  void run(const Coefficients<T>& f) override { each("channel_flow/coefficients", f.extent, f); }
  void run(const Update<T>& f) override { each("channel_flow/update", f.scheme.n, f); }
  void run(const Continuity<T>& f) override { each("channel_flow/continuity", f.scheme.n, f); }
  void run(const Sweep<T>& f) override {
    const CallScope call(ctx_, "channel_flow/sweep");
    const auto& n = f.scheme.n;
    if (f.axis != 2) {
      launch(ctx_, ceil_div(n[1 - f.axis] * n[2], kLineThreads), kLineThreads, 0, sweep_lines<T>, f);
      return;
    }
    if (n[2] > kLongestLine<T>) {
      throw Unavailable("channel_flow: the fused sweep takes up to " + std::to_string(kLongestLine<T>) +
                        " nodes along z on a GPU, and the grid has " + std::to_string(n[2]));
    }
    const int threads = int(ceil_div(n[2], kWarpSize)) * kWarpSize;
    launch(ctx_, n[0] * n[1], threads, std::size_t(kWords) * std::size_t(threads) * sizeof(T),
           sweep_contiguous<T>, f);
  }

#ifdef TANDEM_SIMT
  void mark(int number) override { marks_[number] = std::chrono::steady_clock::now(); }
  double seconds(int from, int to) override {
    return std::chrono::duration<double>(marks_[to] - marks_[from]).count();
  }

 private:
  void release_marks() {}
  std::chrono::steady_clock::time_point marks_[Loops<T>::kMarks];
#else
  void mark(int number) override {
    const CallScope call(ctx_, "channel_flow/mark");
    cudaEvent_t& event = marks_[number];
    if (!event) check_cuda(cudaEventCreate(&event), ctx_, "cudaEventCreate");
    check_cuda(cudaEventRecord(event, static_cast<cudaStream_t>(ctx_.stream())), ctx_, "cudaEventRecord");
  }
  double seconds(int from, int to) override {
    const CallScope call(ctx_, "channel_flow/mark");
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, marks_[from], marks_[to]), ctx_, "cudaEventElapsedTime");
    return milliseconds * 1e-3;
  }

 private:
  void release_marks() {
    for (const cudaEvent_t event : marks_) {
      if (event) cudaEventDestroy(event);
    }
  }
  cudaEvent_t marks_[Loops<T>::kMarks] = {};
#endif

  template <class F>
  void each(std::string_view name, const std::int64_t (&n)[3], const F& f) {
    const CallScope call(ctx_, name);
    const int threads = int(std::min<std::int64_t>(kMostThreads, ceil_div(n[2], kWarpSize) * kWarpSize));
    const int parts = int(ceil_div(n[2], threads));
    launch(ctx_, n[0] * n[1] * parts, threads, 0, at_nodes<F>, f, n[1], n[2], parts);
  }
  Context& ctx_;
};

}  // namespace

#ifdef TANDEM_SIMT  // its users link this function beside the other, so it has a name of its own
template <class T>
TANDEM_API std::unique_ptr<Loops<T>> make_executor_loops(Context& ctx) {
  return std::make_unique<DeviceLoops<T>>(ctx);
}
template TANDEM_API std::unique_ptr<Loops<float>> make_executor_loops<float>(Context&);
template TANDEM_API std::unique_ptr<Loops<double>> make_executor_loops<double>(Context&);
#else
template <class T>
std::unique_ptr<Loops<T>> make_device_loops(Context& ctx) {
  return std::make_unique<DeviceLoops<T>>(ctx);
}
template std::unique_ptr<Loops<float>> make_device_loops<float>(Context&);
template std::unique_ptr<Loops<double>> make_device_loops<double>(Context&);
#endif

}  // namespace channel
