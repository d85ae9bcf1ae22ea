// Idea:    rows of C are distributed over the threads, and the inner loops are interchanged: a row of C
//          accumulates the rows of B, each scaled by an element of A.
// New:     against serial, neighbouring results are independent, so the compiler vectorises them; B is read
//          along its rows; all cores work. Of fewer than kNarrow columns each result is a sum of its own, as in serial.
// Expect:  two loads and a store per vector multiply-add: bound by the L1 cache, and by the L2 or L3 cache
//          once kSlice columns of B do not fit.
// Limits:  with B column-major the inner loop gathers. With fewer rows than threads, threads stay idle.
// Source:  Golub, van Loan 2013, "Matrix computations", section 1.1: the gaxpy form.

#include <algorithm>

#include "custom_kernels/gemm/detail/dot.h"
#include "lib/core/workers.h"
#include "lib/ops/gemm/contract.h"

namespace tandem {
namespace {

constexpr std::int64_t kSlice = 512;  // results of one row that accumulate together: they stay in L1
constexpr std::int64_t kNarrow = 4;   // columns from which on a vector of results pays
constexpr std::int64_t kPieceProducts = 1 << 16, kAloneProducts = 1 << 18;

template <class C>
void multiply_row(const typename C::Args& g, std::int64_t i) {
  using T = typename C::T;
  using Sum = typename C::Sum;
  if (g.n < kNarrow) {
    for (std::int64_t j = 0; j < g.n; ++j) C::update(g.c[i * g.ldc + j], dot<C>(g, i, j), g.alpha, g.beta);
    return;
  }
  for (std::int64_t first = 0; first < g.n; first += kSlice) {
    const std::int64_t width = std::min(kSlice, g.n - first);
    Sum sum[kSlice] = {};
    for (std::int64_t p = 0; p < g.k; ++p) {
      const Sum factor = g.a(i, p);
      const T* line = &g.b(p, first);
      if (g.b.col == 1) {
        for (std::int64_t j = 0; j < width; ++j) sum[j] += factor * Sum(line[j]);
      } else {
        for (std::int64_t j = 0; j < width; ++j) sum[j] += factor * Sum(line[j * g.b.col]);
      }
    }
    for (std::int64_t j = 0; j < width; ++j) C::update(g.c[i * g.ldc + first + j], sum[j], g.alpha, g.beta);
  }
}

template <class C>
void threads(const typename C::Args& g, Context&) {
  const std::int64_t row = std::max<std::int64_t>(1, g.n * g.k);  // products of a row of C
  const Pieces rows{.size = std::max<std::int64_t>(1, kPieceProducts / row), .alone = kAloneProducts / row};
  parallel_for(g.m, rows, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) multiply_row<C>(g, i);
  });
}

/// No other step of the CPU takes elements of 16 bits.
std::string refuses(const Gemm::Shape& s, CaseId id) {
  return size_of(id.type) == 2 ? "" : Gemm::refuse_beyond<2560>(s, id);
}

REGISTER(Gemm, threads, .note = "rows of C distributed over threads; vectors along rows of B",
         .refuses = refuses)

}  // namespace
}  // namespace tandem
