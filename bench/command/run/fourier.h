#pragma once
// What `tandem run` of Fourier transforms has in common: complex numbers in files, and --scaling.

#include <algorithm>
#include <complex>

#include "bench/command/run/run.h"
#include "lib/ops/real_fft/contract.h"
#include "tandem/fft_nd.h"

namespace tandem::command {

/// For help texts.
inline constexpr const char* kComplexNumbers =
    "complex64 or complex128, or their parts as a last dimension of 2";

/// Complex numbers that were read, their parts side by side in C order. A file holds them as such, or as their parts in a
/// last dimension of 2: results are written in the same way.
struct ComplexArray {
  InputArray in;
  NpyFormat format;                 // of the file
  std::vector<std::int64_t> shape;  // of numbers

  std::string str() const { return in.str(); }
};

/// Throws BadFile where they have no dimension.
inline ComplexArray read_complex_array(const std::string& path) {
  InputArray in = read_real_or_complex_array(path);
  std::vector<std::int64_t> shape = in.shape;
  const bool parts = !in.format.complex && !shape.empty() && shape.back() == 2;
  if (parts) shape.pop_back();
  if (shape.empty() || !(parts || in.format.complex)) {
    throw BadFile(in.file,
                  fmt::format("holds {} of shape ({}); {} are needed, after at least one other dimension",
                              element_name(in.type, in.format), fmt::join(in.shape, ", "), kComplexNumbers));
  }
  const NpyFormat format = in.format;
  in.put_in_order(false);
  return {std::move(in), format, std::move(shape)};
}

/// Parts of numbers of this shape, in C order, in this format.
template <class T>
void write_complex_array(const std::string& path, NpyFormat format, std::vector<std::int64_t> shape,
                         const Array<T>& parts) {
  if (!format.complex) shape.push_back(2);
  write_from_c_order(path, format, shape, parts);
}

/// Product of the dimensions before the last `but`; of more than there can be, as many as a number holds.
inline std::int64_t rows_of(std::span<const std::int64_t> shape, std::size_t but) {
  std::int64_t rows = 1;
  bool beyond = false;
  for (std::size_t d = 0; d + but < shape.size(); ++d) {
    if (shape[d] == 0) return 0;
    beyond = beyond || __builtin_mul_overflow(rows, shape[d], &rows);
  }
  return beyond ? std::numeric_limits<std::int64_t>::max() : rows;
}

/// Real numbers along the last dimension of spectra; `given` by --n, or 0 for the even number.
inline std::int64_t real_extent_of(const ComplexArray& spectra, std::int64_t given) {
  const std::int64_t size = spectra.shape.back();
  const std::int64_t n = given > 0 ? given : size == 0 ? 0 : std::max<std::int64_t>(2 * (size - 1), 1);
  if (n > 0 && RealFft::spectrum_size(n) != size) {
    throw InvalidArgument(
        fmt::format("--n is {}; rows of {} have {} complex numbers, but those of {} have {} (shape ({}))", n,
                    n, RealFft::spectrum_size(n), spectra.in.file, size, fmt::join(spectra.in.shape, ", ")));
  }
  return n;
}

/// How many of the dimensions that numbers have are transformed, the last ones; `given` by --axes, or 0 for all.
inline std::size_t axes_of(std::int64_t given, std::size_t there, const std::string& file) {
  const std::size_t axes = given > 0 ? static_cast<std::size_t>(given) : there;
  if (axes == 0 || axes > there || axes > PerAxis::kMost) {
    throw InvalidArgument(
        fmt::format("--axes is {}; the numbers of {} have {} dimensions, of which the last 1 to {} can be "
                    "transformed",
                    axes, file, there, std::min(there, PerAxis::kMost)));
  }
  return axes;
}

/// An array of parts as complex numbers.
template <class T>
View<std::complex<T>> as_numbers(Array<T>& parts) {
  return {reinterpret_cast<std::complex<T>*>(parts.data()), parts.size() / 2};
}

inline void add_axes(Command sub, std::int64_t& axes) {
  sub.number("--axes", axes, "How many dimensions are transformed, the last ones; all by itself", 1,
             PerAxis::kMost);
}
inline void add_scaling(Command sub, std::string& scaling) {
  sub.option("--scaling", scaling, "inverse: back by 1/n; unitary: both by the root of 1/n; none: neither")
      .one_of({"inverse", "unitary", "none"})
      .show_default();
}
inline FftScaling parse_scaling(const std::string& text) {
  return text == "unitary" ? FftScaling::unitary : text == "none" ? FftScaling::none : FftScaling::inverse;
}

}  // namespace tandem::command
