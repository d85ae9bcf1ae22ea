// Idea:    a transform of any length is a convolution with a chirp (Bluestein), and this one two transforms of a power of two,
//          here by the four steps: chirps and the spectrum are factors where these load and store. The code is in
//          detail/convolution.cuh, since other operations have use for it.
// New:     against four_step, lengths with any prime factors.
// Expect:  twice the traffic of four_step over two to four times the length.
// Limits:  from 17 to 2^23 points; three arrays of scratch of the convolution's length.
// Source:  Bluestein 1970, "A linear filtering approach to the computation of discrete Fourier transform".

#include "custom_kernels/fft/detail/convolution.cuh"

namespace tandem {
namespace {

template <class C>
void long_convolution(const typename C::Args& a, Context& ctx) {
  convolve_rows<typename C::T>(ctx, a);
}

std::string refuses(const Fft::Shape& s, CaseId) {
  return s.n == 0 || takes_long_convolution(s.n) ? "" : "takes lengths from 17 to 2^23";
}

REGISTER(
    Fft, long_convolution, .note = "any length as a convolution by the four steps",
    .depth = Fft::levels_of_convolution, .refuses = refuses, .suits = [](const Fft::Shape& s) {
      return !Fft::is_power_of_two(s.n) && (s.n > kLongestLine || !Fft::is_smooth(s.n));
    })

}  // namespace
}  // namespace tandem
