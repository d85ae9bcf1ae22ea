#pragma once
// What `tandem run` of Fourier transforms has in common: complex numbers in files, and --scaling.

#include <complex>

#include "bench/command/run/run.h"

namespace tandem::command {

/// An array whose last dimension is 2, the parts of a complex number, after `least` others at least. Throws BadFile.
inline void require_complex(const InputArray& in, std::size_t least = 1) {
  if (in.shape.size() >= least + 1 && in.shape.back() == 2 && !in.format.fortran_order) return;
  throw BadFile(
      in.file,
      fmt::format("holds an array of shape ({}){}; its last dimension must be 2, the parts of complex "
                  "numbers, after at least one other, in C order",
                  fmt::join(in.shape, ", "), in.format.fortran_order ? " in Fortran order" : ""));
}

/// Product of the dimensions before the last `but`; of more than there can be, as many as a number holds.
inline std::int64_t rows_of(const InputArray& in, std::size_t but) {
  std::int64_t rows = 1;
  bool beyond = false;
  for (std::size_t d = 0; d + but < in.shape.size(); ++d) {
    if (in.shape[d] == 0) return 0;
    beyond = beyond || __builtin_mul_overflow(rows, in.shape[d], &rows);
  }
  return beyond ? std::numeric_limits<std::int64_t>::max() : rows;
}

/// An array of parts as complex numbers.
template <class T>
View<std::complex<T>> as_numbers(Array<T>& parts) {
  return {reinterpret_cast<std::complex<T>*>(parts.data()), parts.size() / 2};
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
