// Wrong:   takes gaps of more than 64 elements between lines for 64.
// Caught:  a gap of 100.

#include <algorithm>

#include "lib/ops/transpose/contract.h"

namespace tandem {
namespace {

template <class C>
void wide_gaps(const typename C::Args& a, Context&) {
  const std::int64_t ld_in = a.cols + std::min<std::int64_t>(a.ld_in - a.cols, 64);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < a.cols; ++j) a.out[j * a.ld_out + i] = a.in[i * ld_in + j];
  }
}

REGISTER(Transpose, wide_gaps, .note = "wrong on purpose", .refuses = Transpose::refuse_in_place)

}  // namespace
}  // namespace tandem
