// 11. Fourier transforms: a signal convolved with a kernel, whose spectrum could serve for many signals; and how far the result is
// from the sum that it stands for.

#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <iostream>
#include <vector>

int main() {
  tandem::Context ctx = tandem::Context::host();
  constexpr std::size_t kSignal = 1000, kKernel = 25;
  // Room for what a cyclic convolution would wrap around; any length will do.
  constexpr std::size_t kLength = kSignal + kKernel - 1;
  using Numbers = std::vector<std::complex<double>>;
  Numbers signal(kLength), kernel(kLength), spectrum(kLength), smooth(kLength);  // each followed by zeros
  for (std::size_t i = 0; i < kSignal; ++i) signal[i] = i % 100 < 50 ? 1 : 0;
  for (std::size_t i = 0; i < kKernel; ++i) kernel[i] = 1.0 / kKernel;

  tandem::fft(ctx, kernel, spectrum);
  tandem::convolve(ctx, signal, spectrum, smooth);

  std::cout << "around an edge:";
  for (std::size_t i = 48; i < 76; i += 6) std::cout << ' ' << std::round(100 * smooth[i].real()) / 100;
  double worst = 0;
  for (std::size_t i = 0; i < kLength; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < kKernel && j <= i; ++j) sum += signal[i - j].real() * kernel[j].real();
    worst = std::max(worst, std::abs(smooth[i] - sum));
  }
  std::cout << "\nthe worst error is " << (worst < 1e-14 ? "below" : "above") << " 1e-14\n";
}
