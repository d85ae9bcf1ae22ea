// Fills and checks buffers of a device where they lie.

#include "lib/harness/closed_form.h"

#include "lib/harness/random_sequence.h"
#include "tandem/device/launch.cuh"

namespace tandem::detail {
namespace {

constexpr int kThreads = 256, kBlocksPerMultiprocessor = 8;

template <class T>
__global__ void fill_elements(T* data, std::int64_t n, FormView<T> form) {
  const std::int64_t stride = std::int64_t(gridDim.x) * kThreads;
  for (std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x; i < n; i += stride)
    data[i] = form(i);
}

template <class View>
__global__ void check_elements(const typename View::Value* data, std::int64_t n, View view, double allowed,
                               unsigned long long* count, unsigned long long* first) {
  const std::int64_t stride = std::int64_t(gridDim.x) * kThreads;
  for (std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x; i < n; i += stride) {
    if (!mismatch(data[i], view(i), allowed)) continue;
    atomicAdd(count, 1ull);
    atomicMin(first, static_cast<unsigned long long>(i));
  }
}

}  // namespace

template <class T>
void fill_on_device(Context& ctx, T* data, std::int64_t n, FormView<T> form) {
  const CallScope scope(ctx, "closed form", Place::device);
  launch(ctx, kBlocksPerMultiprocessor * ctx.multiprocessors(), kThreads, 0, fill_elements<T>, data, n, form);
}

template <class View>
Mismatches check_on_device(Context& ctx, const typename View::Value* data, std::int64_t n, View view,
                           double allowed) {
  Mismatches found{0, ~std::uint64_t{0}};
  {
    const CallScope scope(ctx, "closed form", Place::device);
    auto* words = ctx.scratch<unsigned long long>(2);
    ctx.copy(words, &found, sizeof found);
    launch(ctx, kBlocksPerMultiprocessor * ctx.multiprocessors(), kThreads, 0, check_elements<View>, data, n,
           view, allowed, words, words + 1);
    ctx.copy(&found, words, sizeof found);
  }
  ctx.synchronize();
  return found;
}

#define TANDEM_ROW(T)                                                    \
  template void fill_on_device(Context&, T*, std::int64_t, FormView<T>); \
  template Mismatches check_on_device(Context&, const T*, std::int64_t, FormView<T>, double);
TANDEM_FORM_TYPES(TANDEM_ROW)
#undef TANDEM_ROW
#define TANDEM_ROW(Words, Distribution)                                                          \
  template Mismatches check_on_device(Context&, const SequenceView<Words, Distribution>::Value*, \
                                      std::int64_t, SequenceView<Words, Distribution>, double);
TANDEM_SEQUENCES(TANDEM_ROW)
#undef TANDEM_ROW

}  // namespace tandem::detail
