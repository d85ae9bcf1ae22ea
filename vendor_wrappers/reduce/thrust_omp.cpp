// thrust::transform_reduce on the CPU, with its OpenMP system.

#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP  // else Thrust's headers want CUDA's

#include <thrust/system/omp/execution_policy.h>
#include <thrust/transform_reduce.h>
#include <thrust/version.h>

#include "lib/ops/reduce.h"

namespace tandem {
namespace {

template <class C>
void thrust_omp(const typename C::Args& a, Context&) {
  using Acc = typename C::Acc;
  *a.out = thrust::transform_reduce(
      thrust::omp::par, a.in, a.in + a.n, [](typename C::T x) -> Acc { return C::load(x); },
      C::Op::template identity<Acc>(), typename C::Op{});
}

REGISTER(Reduce, thrust_omp, .note = "thrust::transform_reduce(omp::par)",
         .version = TANDEM_VERSION("Thrust", THRUST))

}  // namespace
}  // namespace tandem
