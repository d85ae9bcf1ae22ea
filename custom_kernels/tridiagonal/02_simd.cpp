// Idea:    the lanes of a vector register hold the same row of neighbouring systems, so one Thomas solves as many
//          systems as there are lanes. Where neighbours do not lie side by side, a cache line of each is spread over
//          the lanes of as many rows.
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

constexpr int kRows = 16;  // loaded at a time: a cache line of each lane

template <class T>
struct Lanes {
  alignas(64) T at[kLanes<T>];
};

/// Rows of `lanes` neighbouring systems, from strides in memory to vectors. Where the systems are not side by side, each
/// lane's rows come one after the other, so that a cache line is used up at once. What fills the vector up repeats the
/// first system.
template <class T>
void load(Lanes<T>* to, const T* from, const Tridiagonal::Strides& strides, int rows, int lanes) {
  if (strides.system == 1 && lanes == kLanes<T>) {
    for (int r = 0; r < rows; ++r) {
#pragma omp simd
      for (int k = 0; k < kLanes<T>; ++k) to[r].at[k] = from[r * strides.row + k];
    }
    return;
  }
  for (int k = 0; k < kLanes<T>; ++k) {
    for (int r = 0; r < rows; ++r) to[r].at[k] = from[(k < lanes ? k : 0) * strides.system + r * strides.row];
  }
}

template <class T>
void store(T* to, const Lanes<T>* from, const Tridiagonal::Strides& strides, int rows, int lanes) {
  if (strides.system == 1 && lanes == kLanes<T>) {
    for (int r = 0; r < rows; ++r) {
#pragma omp simd
      for (int k = 0; k < kLanes<T>; ++k) to[r * strides.row + k] = from[r].at[k];
    }
    return;
  }
  for (int k = 0; k < lanes; ++k) {
    for (int r = 0; r < rows; ++r) to[k * strides.system + r * strides.row] = from[r].at[k];
  }
}

/// Systems first … first + lanes − 1, neighbours at one distance. above[i], value[i]: c′ and d′ of row i.
template <class Args, class T>
void solve_group(const Args& a, std::int64_t first, int lanes, Lanes<T>* above, Lanes<T>* value) {
  const std::int64_t m = a.start(a.matrix, first), v = a.start(a.vector, first);
  Lanes<T> lower[kRows], diag[kRows];
  Lanes<T> c{}, d{};
  for (std::int64_t row = 0; row < a.n; row += kRows) {
    const auto rows = static_cast<int>(std::min<std::int64_t>(kRows, a.n - row));
    const std::int64_t at = m + row * a.matrix.row;
    const int head = row == 0, tail = row + rows == a.n;  // corners that are not read
    lower[0] = above[row + rows - 1] = {};
    load(lower + head, a.lower + at + head * a.matrix.row, a.matrix, rows - head, lanes);
    load(diag, a.diag + at, a.matrix, rows, lanes);
    load(above + row, a.upper + at, a.matrix, rows - tail, lanes);
    load(value + row, a.rhs + v + row * a.vector.row, a.vector, rows, lanes);
    for (int r = 0; r < rows; ++r) {
      int failures = 0;
#pragma omp simd reduction(+ : failures)
      for (int k = 0; k < kLanes<T>; ++k) {
        diag[r].at[k] -= lower[r].at[k] * c.at[k];
        failures += !usable(diag[r].at[k]);
        const T reciprocal = T(1) / diag[r].at[k];
        c.at[k] = above[row + r].at[k] * reciprocal;
        d.at[k] = (value[row + r].at[k] - lower[r].at[k] * d.at[k]) * reciprocal;
        above[row + r].at[k] = c.at[k];
        value[row + r].at[k] = d.at[k];
      }
      for (int k = 0; failures && k < lanes; ++k) {
        if (!usable(diag[r].at[k])) report_pivot(a, first + k, row + r);
      }
    }
  }
  for (std::int64_t end = a.n; end > 0;) {
    const std::int64_t row = (end - 1) / kRows * kRows;
    for (std::int64_t i = std::min(end, a.n - 1) - 1; i >= row; --i) {
#pragma omp simd
      for (int k = 0; k < kLanes<T>; ++k) value[i].at[k] -= above[i].at[k] * value[i + 1].at[k];
    }
    store(a.x + v + row * a.vector.row, value + row, a.vector, static_cast<int>(end - row), lanes);
    end = row;
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
         .refuses = Tridiagonal::refuse_list_and_pivot)

}  // namespace
}  // namespace tandem
