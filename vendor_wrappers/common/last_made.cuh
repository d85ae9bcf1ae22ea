#pragma once
// What a library made for the last call of a kind, and a CUDA graph may hold.

#include <cuda_runtime.h>

#include <memory>
#include <vector>

#include "tandem/device/launch.cuh"

namespace tandem {

/// Kept with a context: another call of the kind replaces it. What a call used while it was recorded in a graph stays for the
/// context's life, since replays read its memory.
template <class Made>
class LastMade {
 public:
  Made* get() const { return last_.get(); }
  bool is_recorded() const { return last_.use_count() > 1; }
  void replace(std::shared_ptr<Made> made) { last_ = std::move(made); }
  /// Of a call that uses it now.
  void keep_if_recorded(Context& ctx) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    check_cuda(cudaStreamIsCapturing(static_cast<cudaStream_t>(ctx.stream()), &status), ctx,
               "cudaStreamIsCapturing");
    if (status != cudaStreamCaptureStatusNone && !is_recorded()) recorded_.push_back(last_);
  }

 private:
  std::shared_ptr<Made> last_;
  std::vector<std::shared_ptr<Made>> recorded_;
};

}  // namespace tandem
