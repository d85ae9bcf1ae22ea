#include "lib/ops/fft/arguments.h"

#include <fmt/format.h>

#include <cmath>

namespace tandem::require {

void known_scaling(const char* operation, FftScaling scaling) {
  if (scaling <= FftScaling::none) return;
  throw InvalidArgument(fmt::format("{}: 'scaling' is {}; it must be FftScaling::inverse, unitary or none",
                                    operation, static_cast<int>(scaling)));
}

void transforms(const char* operation, std::int64_t n, std::int64_t batch, FftScaling scaling) {
  for (const auto& [what, value] : {std::pair{"n", n}, {"batch", batch}}) {
    if (value < 0)
      throw InvalidArgument(fmt::format("{}: {} is {}; it must be at least 0", operation, what, value));
  }
  known_scaling(operation, scaling);
}

std::int64_t rows(const char* operation, const char* array, std::int64_t row, std::int64_t batch,
                  std::int64_t distance, std::size_t element_bytes) {
  if (distance < row) {
    throw InvalidArgument(
        fmt::format("{}: distance between rows of '{}' is {}; it must be at least {}, or rows meet",
                    operation, array, distance, row));
  }
  if (row == 0 || batch == 0) return 0;
  std::int64_t last, size, bytes;
  if (__builtin_mul_overflow(batch - 1, distance, &last) || __builtin_add_overflow(last, row, &size) ||
      __builtin_mul_overflow(size, static_cast<std::int64_t>(element_bytes), &bytes)) {
    throw InvalidArgument(fmt::format("{}: {} rows at a distance of {} in '{}' overflow 2^63 bytes",
                                      operation, batch, distance, array));
  }
  return size;
}

void room(Context& ctx, const char* operation, const char* name, detail::ConstMemory array,
          std::int64_t needed, std::size_t element_bytes) {
  if (array.size < needed) {
    throw InvalidArgument(
        fmt::format("{}: size of '{}' is {}; it must be at least {}", operation, name, array.size, needed));
  }
  require::array(ctx, operation, name, array.data, needed, element_bytes);
}

double factor(double n, FftScaling scaling, bool inverse) {
  if (scaling == FftScaling::unitary) return 1 / std::sqrt(n);
  return inverse && scaling == FftScaling::inverse ? 1 / n : 1;
}

}  // namespace tandem::require
