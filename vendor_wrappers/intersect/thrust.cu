// thrust::set_intersection on the GPU, pair by pair, shortest first: the library has no call for a batch, and
// returns to the host with the end of each result.
// Limits:  a call for each pair of lists.

#include <thrust/set_operations.h>

#include "lib/core/context_impl.h"
#include "lib/ops/intersect/contract.h"
#include "vendor_wrappers/common/thrust.cuh"

namespace tandem {
namespace {

/// As ThrustScratch, but all calls of a batch, which run one after the other, share one piece of memory.
struct OneScratch {
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
  OneScratch scratch{&ctx, nullptr, 0};
  const auto policy = thrust::cuda::par_nosync(scratch).on(static_cast<cudaStream_t>(ctx.stream()));
  T *kept = ctx.scratch<T>(a.longest), *other = ctx.scratch<T>(a.longest);
  const std::uint64_t* first_term = a.host.first_term;
  const std::uint32_t* terms = a.host.terms;
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(a.queries) + (a.out != nullptr));
  std::uint64_t total = 0;
  call_thrust(ctx, "thrust::set_intersection", [&] {
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
      if (a.out && left.size > 0) ctx.copy(a.out + total, left.ids, std::size_t(left.size) * sizeof(T));
      sizes[static_cast<std::size_t>(q)] = a.out ? total : std::uint64_t(left.size);
      total += std::uint64_t(left.size);
    }
  });
  if (a.out) sizes.back() = total;
  ctx.copy(a.out ? a.offsets : a.counts, sizes.data(), sizes.size() * sizeof sizes[0]);
  backend(ctx).wait();  // before `sizes` goes
}

REGISTER(Intersect, thrust_set_intersection,
         .note = "thrust::set_intersection with cached memory, pair by pair",
         .version = LIBRARY_VERSION("Thrust", THRUST), .synchronises = true,
         .deviates = "loses the error of a launch that fails")

}  // namespace
}  // namespace tandem
