// Idea:    two loops, one element at a time. Every later step must agree with this one.
// Expect:  reads go along a row, but each write touches another cache line: once a column of lines no longer
//          fits in a cache, every element moves a whole line in and out again.
// Limits:  one core; far from the bandwidth of the memory on anything large.

#include <utility>

#include "lib/ops/transpose/contract.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context&) {
  if (a.in == a.out) {
    for (std::int64_t i = 0; i < a.rows; ++i) {
      for (std::int64_t j = 0; j < i; ++j) std::swap(a.out[i * a.ld_out + j], a.out[j * a.ld_out + i]);
    }
    return;
  }
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < a.cols; ++j) a.out[j * a.ld_out + i] = a.in[i * a.ld_in + j];
  }
}

REGISTER(Transpose, serial, .note = "two loops")

}  // namespace
}  // namespace tandem
