// Wrong:   a thread multiplies numbers that lie side by side, which other threads leave in shared memory, without a barrier
//          between.
// Caught:  races in shared memory.

#include "custom_kernels/fft/detail/rows.cuh"
#include "lib/ops/convolve/contract.h"

namespace tandem {
namespace {

template <int kHeld, int kFirst, class Args, class T>
__global__ void missing_barrier_rows(const Args a, int n, const Complex<T>* roots) {
  transform_rows<kHeld, kFirst>(a, n, roots,
                                [&](std::int64_t row, int t, int threads, SharedPart<T> line, auto& v) {
                                  __syncthreads();
                                  for (int m = 0; m < kHeld; ++m)
                                    line[place_in_line<T>(t + m * threads)] = v[m];
                                  for (int k = kHeld * t; k < kHeld * (t + 1); ++k)
                                    line[place_in_line<T>(k)] = a.product(k, line[place_in_line<T>(k)]);
                                  __syncthreads();
                                  for (int m = 0; m < kHeld; ++m)
                                    v[m] = line[place_in_line<T>(t + m * threads)];
                                  transform_line<kFirst>(v, line, t, n, roots);
                                  for (int m = 0; m < kHeld && row < a.batch; ++m)
                                    a.store(row, t + m * threads, v[m]);
                                });
}

template <class C>
void missing_barrier(const typename C::Args& a, Context& ctx) {
  with_first_radix<8>(a.n, [&]<int kFirst>() {
    launch_rows<8>(ctx, a, missing_barrier_rows<8, kFirst, typename C::Args, typename C::T>);
  });
}

REGISTER(
    Convolve, missing_barrier, .note = "wrong on purpose", .depth = Convolve::levels,
    .refuses = [](const Convolve::Shape& s, CaseId) -> std::string {
      return Fft::is_power_of_two(s.n) && s.n >= 16 && s.n <= 512 ? "" : "powers of two from 16 to 512";
    })

}  // namespace
}  // namespace tandem
