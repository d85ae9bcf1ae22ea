// 10. Fourier transforms: the convolution of a signal with a kernel, by transforms of all rows at once; and how far it is from
// the sum that it stands for.

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
  Numbers rows(2 * kLength);  // the signal and the kernel, each followed by zeros
  for (std::size_t i = 0; i < kSignal; ++i) rows[i] = i % 100 < 50 ? 1 : 0;
  for (std::size_t i = 0; i < kKernel; ++i) rows[kLength + i] = 1.0 / kKernel;
  const Numbers before = rows;

  tandem::fft(ctx, rows, rows, {.n = kLength, .batch = 2});
  Numbers smooth(kLength);
  for (std::size_t k = 0; k < kLength; ++k) smooth[k] = rows[k] * rows[kLength + k];
  tandem::inverse_fft(ctx, smooth, smooth);

  std::cout << "around an edge:";
  for (std::size_t i = 48; i < 76; i += 6) std::cout << ' ' << std::round(100 * smooth[i].real()) / 100;
  double worst = 0;
  for (std::size_t i = 0; i < kLength; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < kKernel && j <= i; ++j)
      sum += before[i - j].real() * before[kLength + j].real();
    worst = std::max(worst, std::abs(smooth[i] - sum));
  }
  std::cout << "\nthe worst error is " << (worst < 1e-14 ? "below" : "above") << " 1e-14\n";
}
