// Idea:    rows that no block holds: fft's four steps, or its convolutions by them, load pairs and store Z in the place of X,
//          and a kernel behind them splits it there, a thread for two results. Back the split is a part of the load.
// New:     against shared, long rows, and lengths with any prime factors.
// Expect:  fft's four_step at half the length, and forward one more read and write.
// Limits:  half of an even length, or an odd one, is a power of two from 64 to 2^24 or any number from 17 to 2^23. Three arrays
//          of scratch of the convolution's length where it is no power of two; columns are read in pieces.
// Source:  Bailey 1990, "FFTs in external or hierarchical memory"; Bluestein 1970, "A linear filtering approach to the
//          computation of discrete Fourier transform".

#include "custom_kernels/real_fft/detail/long_rows.cuh"

namespace tandem {
namespace {

template <class C>
void long_rows(const typename C::Args& a, Context& ctx) {
  tandem::long_rows(ctx, a);
}

std::string refuses(const RealFft::Shape& s, CaseId) {
  return s.n == 0 || takes_long_rows(s.n)
             ? ""
             : "takes odd lengths from 17 to 2^23, even ones from 34 to 2^24, and powers of two to 2^25";
}

REGISTER(
    RealFft, long_rows, .note = "pairs by the four steps or a convolution, split in place behind them",
    .depth = levels_of_long_rows, .refuses = refuses, .suits = [](const RealFft::Shape& s) {
      return complex_length(s.n) > kLongestLine || !Fft::is_smooth(complex_length(s.n));
    })

}  // namespace
}  // namespace tandem
