// Idea:    thread i reduces its own prefix, x[0] ∘ … ∘ x[i]: the definition, once per element.
// New:     against the CPU steps, the first kernel: no thread waits for another.
// Expect:  n²/2 applications of the operator where n suffice; the last thread needs n steps, so it is
//          no faster than one loop on one (slow) core of the GPU. The lanes of a warp read the same
//          word, which is broadcast.
// Limits:  quadratic work: refuses long arrays. In place it reads from a copy.
// Source:  the definition.

#include <string>

#include "lib/ops/scan/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kShort = 1 << 11, kMostElements = 1 << 14;

template <class T>
__global__ void copy_elements(const T* in, std::int64_t n, T* out) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i < n) out[i] = in[i];
}

template <class C>
__global__ void reduce_prefixes(const typename C::T* in, std::int64_t n, typename C::T* out, bool exclusive,
                                typename C::Acc init) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= n) return;
  auto running = init;
  for (std::int64_t j = 0; j < i; ++j) running = typename C::Op{}(running, C::load(in[j]));
  out[i] = C::result(exclusive ? running : typename C::Op{}(running, C::load(in[i])));
}

template <class C>
void naive(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const T* in = a.in;
  if (a.in == a.out) {
    T* copy = ctx.scratch<T>(a.n);
    launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, copy_elements<T>, in, a.n, copy);
    in = copy;
  }
  launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, reduce_prefixes<C>, in, a.n, a.out, a.exclusive, a.init);
}

std::string too_long(const Scan::Shape& shape, CaseId) {
  if (shape.n <= kMostElements) return {};
  return "n = " + std::to_string(shape.n) + " exceeds " + std::to_string(kMostElements) +
         ": its work grows with n²; every other step takes this size";
}

bool suits(const Scan::Shape& shape) { return shape.n <= kShort; }

REGISTER(Scan, naive, .note = "every output reduces its own prefix: quadratic work", .refuses = too_long,
         .suits = suits)

}  // namespace
}  // namespace tandem
