// 5. A stream of your own, and a CUDA graph: calls are captured once and replayed on new data.

#include <cuda_runtime.h>
#include <tandem/tandem.h>

#include <iostream>
#include <stdexcept>
#include <vector>

namespace {

void check(cudaError_t code) {
  if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}

}  // namespace

int main() try {
  tandem::Context::device();  // throws Unavailable without a GPU
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));
  {
    tandem::Context ctx = tandem::Context::device(0, stream);
    tandem::Array<int> x(ctx, std::vector<int>{1, 2, 3, 4}), y(ctx, x.size());
    const auto calls = [&] {
      tandem::inclusive_scan(ctx, x, y);
      tandem::transform(ctx, tandem::square, y, y);
    };
    calls();  // the first call of a shape takes memory, which a capture must not

    cudaGraph_t graph = nullptr;
    cudaGraphExec_t replay = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    calls();
    check(cudaStreamEndCapture(stream, &graph));
    check(cudaGraphInstantiate(&replay, graph, 0));

    for (const int first : {1, 10}) {
      x.upload(std::vector<int>{first, 2, 3, 4});
      check(cudaGraphLaunch(replay, stream));
      std::cout << "squares of the running sums:";
      for (const int value : y.to_vector()) std::cout << ' ' << value;
      std::cout << '\n';
    }
    check(cudaGraphExecDestroy(replay));
    check(cudaGraphDestroy(graph));
  }
  check(cudaStreamDestroy(stream));
} catch (const tandem::Unavailable& error) {
  std::cout << "skipped: " << error.what() << '\n';
  return 77;
}
