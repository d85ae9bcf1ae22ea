// Idea:    fft's registers and sixteen, with pairs of real numbers in the threads' registers; Z goes through shared memory once
//          more, where each thread finds both numbers of the results it splits.
// New:     against shared, two or three exchanges in place of passes through shared memory, one buffer of it, and rows of up to
//          32,768 real numbers.
// Expect:  the traffic of a copy.
// Limits:  powers of two from 16 to 32,768, of doubles to 16,384. Back, both numbers of a pair are read by two threads.
// Source:  Cooley, Lewis, Welch 1970, "The fast Fourier transform algorithm: programming considerations in the calculation of
//          sine, cosine and Laplace transforms"; Govindaraju and others 2008, "High performance discrete Fourier transforms on
//          graphics processors".

#include "custom_kernels/real_fft/detail/register_rows.cuh"

namespace tandem {
namespace {

template <class C>
void registers(const typename C::Args& a, Context& ctx) {
  register_rows(ctx, a);
}

std::string refuses(const RealFft::Shape& s, CaseId id) {
  return s.n == 0 || takes_register_rows(s.n, size_of(id.type))
             ? ""
             : "takes powers of two from 16 to 32768, of doubles to 16384";
}

REGISTER(RealFft, registers, .note = "pairs in registers, radix 8 or 16, split from shared memory",
         .depth = RealFft::levels_or_convolution, .refuses = refuses)

}  // namespace
}  // namespace tandem
