// Idea:    a row is a matrix of n2 columns: transforms of its columns, products with roots of the whole length, transforms of
//          what then lies in its rows (Bailey's four steps). Blocks take neighbouring columns. The kernels are in
//          detail/four_step.cuh, since long_convolution has use for them.
// New:     against sixteen, rows that no block holds; against passes, two launches instead of log2(n).
// Expect:  twice the traffic of a copy.
// Limits:  powers of two from 64 to 2^24; columns are read in pieces of 128 bytes, of lines from 1,024 on in shorter ones.
// Source:  Bailey 1990, "FFTs in external or hierarchical memory".

#include "custom_kernels/fft/detail/four_step.cuh"

namespace tandem {
namespace {

template <class C>
void four_steps(const typename C::Args& a, Context& ctx) {
  four_step<typename C::T>(ctx, a);
}

std::string refuses(const Fft::Shape& s, CaseId id) {
  if (s.n != 0 && (s.n < kLeastFourStep || s.n > kMostFourStep)) return "takes powers of two from 64 to 2^24";
  return Fft::refuse_other_than_powers(s, id);
}

REGISTER(
    Fft, four_steps, .note = "long rows as matrices: columns, roots, rows", .depth = Fft::levels,
    .refuses = refuses, .suits = [](const Fft::Shape& s) { return s.n > 2 * kLongestLine; })

}  // namespace
}  // namespace tandem
