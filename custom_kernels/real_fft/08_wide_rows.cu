// Idea:    the few passes of fft's wide on pairs of real numbers. Forward the last one leaves Z in the buffer that it does not read,
//          where each thread finds both numbers of the results it splits; back a thread joins both numbers before the first one.
// New:     against shared, radices up to 25; rows are loaded by the first pass or, back, stored by the last one; longer rows.
// Expect:  the traffic of a copy.
// Limits:  half of an even length, or an odd one, up to 10,000, of doubles 5,000, without prime factors above 7, two factors at
//          least. Two buffers of shared memory, one exchange more than wide.
// Source:  Good 1958, "The interaction algorithm and practical Fourier analysis"; Cooley, Lewis, Welch 1970, "The fast Fourier
//          transform algorithm: programming considerations in the calculation of sine, cosine and Laplace transforms".

#include "custom_kernels/real_fft/detail/wide_rows.cuh"

namespace tandem {
namespace {

template <class C>
void wide_rows(const typename C::Args& a, Context& ctx) {
  tandem::wide_rows(ctx, a);
}

std::string refuses(const RealFft::Shape& s, CaseId id) {
  return s.n == 0 || takes_wide_rows(s.n, size_of(id.type))
             ? ""
             : "takes odd lengths up to 10000 and even ones up to 20000, of doubles half of that, of two "
               "factors or more, without prime factors above 7";
}

REGISTER(
    RealFft, wide_rows, .note = "pairs by radices to 25, split from shared memory",
    .depth = RealFft::levels_or_convolution, .refuses = refuses,
    .suits = [](const RealFft::Shape& s) { return !Fft::is_power_of_two(s.n) || s.n < 128; })

}  // namespace
}  // namespace tandem
