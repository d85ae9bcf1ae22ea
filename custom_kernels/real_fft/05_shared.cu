// Idea:    a block takes rows into shared memory as pairs, makes all passes there (fft's mixed), and splits them from there.
// New:     against naive, n log2(n) operations, in one launch; even rows are half as long.
// Expect:  the traffic of a copy: half of what complex rows move. Then the passes of n/2 numbers, and one for the split.
// Limits:  half of an even length, or an odd one, up to 4,096 without prime factors above 7. Pairs of real
//          numbers are read one by one, where a row begins at an odd one.
// Source:  Cooley, Lewis, Welch 1970, "The fast Fourier transform algorithm: programming considerations in the calculation of
//          sine, cosine and Laplace transforms".

#include "custom_kernels/real_fft/detail/shared_rows.cuh"

namespace tandem {
namespace {

template <class C>
void shared(const typename C::Args& a, Context& ctx) {
  shared_rows(ctx, a);
}

std::string refuses(const RealFft::Shape& s, CaseId) {
  return s.n == 0 || takes_shared_rows(s.n)
             ? ""
             : "takes even lengths up to 8192 and odd ones up to 4096 without prime factors above 7";
}

REGISTER(RealFft, shared, .note = "pairs in shared memory, split from there, in one launch",
         .depth = RealFft::levels_or_convolution, .refuses = refuses)

}  // namespace
}  // namespace tandem
