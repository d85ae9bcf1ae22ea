// Idea:    the lanes of a vector register hold the same row of neighbouring systems, so one Thomas solves as many
//          systems as there are lanes. Where neighbours do not lie side by side, the lanes are gathered one by one from
//          as many cache lines, which stay in the cache for the rows to come.
// New:     against openmp, vectors instead of single numbers: the chain of a row is as long, but a whole vector long.
// Expect:  interleaved: the bandwidth of the memory; contiguous: a load per number instead of per vector.
// Limits:  groups of fewer systems than lanes do the work of a whole group.
// Source:  Zhang, Cohen, Owens 2010, "Fast tridiagonal solvers on the GPU", which does the same with threads.

#include <omp.h>

#include <algorithm>

#include "custom_kernels/common/thomas.h"

namespace tandem {
namespace {

template <class T>
constexpr int kLanes = 128 / sizeof(T);  // two cache lines: several vectors hide each other's latency
constexpr std::int64_t kSerialUnknowns = 1 << 12;  // up to this many, starting threads would cost more

template <class T>
struct Lanes {
  alignas(64) T at[kLanes<T>];
};

/// One row of `lanes` neighbouring systems. What fills the vector up repeats the first system.
template <class T>
void load(Lanes<T>& v, const T* from, std::int64_t stride, int lanes) {
  if (stride == 1 && lanes == kLanes<T>) {
#pragma omp simd
    for (int k = 0; k < kLanes<T>; ++k) v.at[k] = from[k];
  } else {
    for (int k = 0; k < kLanes<T>; ++k) v.at[k] = from[k < lanes ? k * stride : 0];
  }
}

template <class T>
void store(T* to, std::int64_t stride, int lanes, const Lanes<T>& v) {
  if (stride == 1 && lanes == kLanes<T>) {
#pragma omp simd
    for (int k = 0; k < kLanes<T>; ++k) to[k] = v.at[k];
  } else {
    for (int k = 0; k < lanes; ++k) to[k * stride] = v.at[k];
  }
}

/// Systems first … first + lanes − 1, neighbours at one distance. above[i], value[i]: c′ and d′ of row i.
template <class Args, class T>
void solve_group(const Args& a, std::int64_t first, int lanes, Lanes<T>* above, Lanes<T>* value) {
  const std::int64_t m = a.start(a.matrix, first), v = a.start(a.vector, first);
  Lanes<T> lower{}, diag, upper{}, d;
  for (std::int64_t i = 0; i < a.n; ++i) {
    const std::int64_t at = m + i * a.matrix.row;
    if (i > 0) load(lower, a.lower + at, a.matrix.system, lanes);
    load(diag, a.diag + at, a.matrix.system, lanes);
    if (i + 1 < a.n) load(upper, a.upper + at, a.matrix.system, lanes);
    load(d, a.rhs + v + i * a.vector.row, a.vector.system, lanes);
    const Lanes<T>& c_before =
        above[i > 0 ? i - 1 : 0];  // in row 0 multiplied by lower = 0, so it must be a number
    const Lanes<T>& d_before = value[i > 0 ? i - 1 : 0];
    if (i == 0) above[0] = value[0] = {};
    int failures = 0;
#pragma omp simd reduction(+ : failures)
    for (int k = 0; k < kLanes<T>; ++k) {
      diag.at[k] -= lower.at[k] * c_before.at[k];
      failures += !usable(diag.at[k]);
      const T r = T(1) / diag.at[k];
      d.at[k] = (d.at[k] - lower.at[k] * d_before.at[k]) * r;
      upper.at[k] *= r;
    }
    above[i] = upper;
    value[i] = d;
    for (int k = 0; failures && k < lanes; ++k) {
      if (!usable(diag.at[k])) report_pivot(a, first + k, i);
    }
  }
  store(a.x + v + (a.n - 1) * a.vector.row, a.vector.system, lanes, value[a.n - 1]);
  for (std::int64_t i = a.n - 2; i >= 0; --i) {
#pragma omp simd
    for (int k = 0; k < kLanes<T>; ++k) value[i].at[k] -= above[i].at[k] * value[i + 1].at[k];
    store(a.x + v + i * a.vector.row, a.vector.system, lanes, value[i]);
  }
}

template <class C>
void simd(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  auto* lanes_memory = ctx.scratch<Lanes<T>>(2 * a.n * omp_get_max_threads());
  // Groups end where neighbours do: at the end of a block.
  const std::int64_t groups = (a.inner + kLanes<T> - 1) / kLanes<T>, blocks = a.count / a.inner;
#pragma omp parallel if (a.n * a.count > kSerialUnknowns)
  {
    Lanes<T>* mine = lanes_memory + 2 * a.n * omp_get_thread_num();
#pragma omp for schedule(static)
    for (std::int64_t group = 0; group < groups * blocks; ++group) {
      const std::int64_t within = group % groups * kLanes<T>;
      const auto lanes = static_cast<int>(std::min<std::int64_t>(kLanes<T>, a.inner - within));
      solve_group(a, group / groups * a.inner + within, lanes, mine, mine + a.n);
    }
  }
}

REGISTER(Tridiagonal, simd, .note = "Thomas on vectors of neighbouring systems, on all cores",
         .refuses = Tridiagonal::refuse_pivot)

}  // namespace
}  // namespace tandem
