// Idea:    every output reduces its own prefix by a tree, all outputs side by side: in round k thread t of
//          an output combines the values 2^k apart.
// New:     against naive, a prefix is reduced by many threads, in log2(n) steps instead of n. The work stays.
// Expect:  the fewest steps there can be, and n²/2 applications of the operator, as in naive: steps fall, work
//          explodes. Half of the pairs of a row lie beyond the end of its prefix.
// Limits:  quadratic work and n²/2 words of scratch: refuses long arrays; a launch per round.
// Source:  the definition, with a reduction tree for each output: where courses on prefix sums begin.

#include <string>

#include "lib/core/depth.h"
#include "lib/ops/scan/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMostElements = 1 << 9;

/// The first round: values[i][t] = in[2t] ∘ in[2t + 1], as far as the prefix of output i reaches.
template <class C>
__global__ void combine_elements(const typename C::T* in, std::int64_t n, typename C::Acc* values,
                                 std::int64_t pairs) {
  const std::int64_t k = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t i = k / pairs, t = k % pairs;  // output, pair of its prefix
  if (i >= n || 2 * t > i) return;
  const auto left = C::load(in[2 * t]);
  values[k] = 2 * t < i ? typename C::Op{}(left, C::load(in[2 * t + 1])) : left;
}

/// A later round: values[i][left] takes in values[i][left + stride].
template <class C>
__global__ void combine_values(typename C::Acc* values, std::int64_t n, std::int64_t pairs,
                               std::int64_t stride) {
  const std::int64_t per_output = ceil_div(pairs, 2 * stride);
  const std::int64_t k = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t i = k / per_output, left = k % per_output * 2 * stride, right = left + stride;
  if (i >= n || 2 * right > i) return;
  auto* const row = values + i * pairs;
  row[left] = typename C::Op{}(row[left], row[right]);
}

template <class C>
__global__ void write_prefixes(const typename C::Acc* values, std::int64_t n, std::int64_t pairs,
                               typename C::T* out, bool exclusive, typename C::Acc init) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= n) return;
  const std::int64_t row = exclusive ? i - 1 : i;
  out[i] = C::result(row < 0 ? init : typename C::Op{}(init, values[row * pairs]));
}

template <class C>
void naive_tree(const typename C::Args& a, Context& ctx) {
  const std::int64_t pairs = ceil_div(a.n, 2);
  auto* values = ctx.scratch<typename C::Acc>(a.n * pairs);
  launch(ctx, ceil_div(a.n * pairs, kThreads), kThreads, 0, combine_elements<C>, a.in, a.n, values, pairs);
  for (std::int64_t stride = 1; stride < pairs; stride *= 2) {
    const std::int64_t blocks = ceil_div(a.n * ceil_div(pairs, 2 * stride), kThreads);
    launch(ctx, blocks, kThreads, 0, combine_values<C>, values, a.n, pairs, stride);
  }
  launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, write_prefixes<C>,
         static_cast<const typename C::Acc*>(values), a.n, pairs, a.out, a.exclusive, a.init);
}

std::string too_long(const Scan::Shape& shape, CaseId) {
  if (shape.n <= kMostElements) return {};
  return "n = " + std::to_string(shape.n) + " exceeds " + std::to_string(kMostElements) +
         ": its work and its scratch grow with n²";
}

// Roundings: log2(n) rounds and the initial value.
REGISTER(Scan, naive_tree, .note = "every output reduces its own prefix by a tree: few steps, quadratic work",
         .depth = depth_of_levels<kMostElements, 9 + 1>, .refuses = too_long)

}  // namespace
}  // namespace tandem
