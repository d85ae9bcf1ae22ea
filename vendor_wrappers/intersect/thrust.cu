// thrust::set_intersection on the GPU, pair by pair, shortest first: the library has no call for a batch, and returns to the
// host with the end of each result.

#include <thrust/execution_policy.h>
#include <thrust/set_operations.h>
#include <thrust/system_error.h>
#include <thrust/version.h>

#include "lib/ops/intersect/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

/// Gives Thrust the context's scratch, so that it allocates nothing of its own: one piece of memory for all calls.
struct Scratch {
  using value_type = char;
  Context* ctx;
  char* memory;
  std::int64_t bytes;
  char* allocate(std::ptrdiff_t wanted) {
    if (wanted > bytes) {
      memory = ctx->scratch<char>(wanted);
      bytes = wanted;
    }
    return memory;
  }
  void deallocate(char*, std::size_t) {}  // with the call
};

template <class C>
void thrust_set_intersection(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  Scratch scratch{&ctx, nullptr, 0};
  const auto policy = thrust::cuda::par_nosync(scratch).on(static_cast<cudaStream_t>(ctx.stream()));
  T *kept = ctx.scratch<T>(a.longest), *other = ctx.scratch<T>(a.longest);
  const std::uint64_t* first_term = a.host.first_term;
  const std::uint32_t* terms = a.host.terms;
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(a.queries) + (a.out != nullptr));
  std::uint64_t total = 0;
  try {
    for (std::int64_t q = 0; q < a.queries; ++q) {
      const auto list = [&](std::uint64_t t) {
        return Intersect::List<T>{a.ids + a.host_starts[terms[t]],
                                  std::int64_t(a.host_starts[terms[t] + 1] - a.host_starts[terms[t]])};
      };
      Intersect::List<T> left{nullptr, 0};
      if (first_term[q] < first_term[q + 1]) left = list(first_term[q]);
      for (std::uint64_t t = first_term[q] + 1; t < first_term[q + 1] && left.size > 0; ++t) {
        const auto right = list(t);
        const T* end = thrust::set_intersection(policy, left.ids, left.ids + left.size, right.ids,
                                                right.ids + right.size, kept);
        left = {kept, end - kept};
        std::swap(kept, other);
      }
      if (a.out && left.size > 0)
        ctx.copy(a.out + total, left.ids, std::size_t(left.size) * sizeof(T));
      sizes[static_cast<std::size_t>(q)] = a.out ? total : std::uint64_t(left.size);
      total += std::uint64_t(left.size);
    }
  } catch (const thrust::system_error& error) {
    check_cuda(static_cast<cudaError_t>(error.code().value()), ctx, "thrust::set_intersection");
    throw;
  }
  if (a.out) sizes.back() = total;
  ctx.copy(a.out ? a.offsets : a.counts, sizes.data(), sizes.size() * sizeof sizes[0]);
  backend(ctx).wait();  // before `sizes` goes
}

REGISTER(Intersect, thrust_set_intersection, .note = "thrust::set_intersection, pair by pair",
         .version = LIBRARY_VERSION("Thrust", THRUST), .synchronises = true)

}  // namespace
}  // namespace tandem
