#pragma once
// What calls of Thrust on the GPU share: cases, memory and errors.

#include <concepts>
#include <cstdint>

#include <thrust/execution_policy.h>
#include <thrust/system_error.h>
#include <thrust/version.h>

#include "tandem/device/launch.cuh"
#include "tandem/operators.h"

namespace tandem {

/// Cases of rows that compare Thrust on the GPU where CUB's row takes every case. Thrust runs CUB's kernels behind
/// iterators there, so the other cases would show the same times, and take minutes to compile.
template <class C>
concept ThrustCase = std::same_as<typename C::T, float> || std::same_as<typename C::T, double> ||
    std::same_as<typename C::T, std::int32_t> || std::same_as<typename C::T, std::int64_t>;
template <class C>
concept ThrustSum = ThrustCase<C> && C::id.op == OperatorId::plus;

/// Allocator that gives Thrust the scratch memory of the context, so that it allocates nothing of its own: what
/// a caching allocator does for a user, without which Thrust asks CUDA for memory in every call.
struct ThrustScratch {
  using value_type = char;
  Context* ctx;
  char* allocate(std::ptrdiff_t bytes) { return ctx->scratch<char>(bytes); }
  void deallocate(char*, std::size_t) {}  // scratch memory ends with the call
};

/// Runs body(); an error of Thrust becomes a DeviceError that names `call`.
template <class Body>
void call_thrust(const Context& ctx, const char* call, Body body) {
  try {
    body();
  } catch (const thrust::system_error& error) {
    check_cuda(static_cast<cudaError_t>(error.code().value()), ctx, call);
    throw;
  }
}

}  // namespace tandem
