#pragma once
// What all calls of Fourier transforms ask of their arguments.

#include "lib/core/require.h"
#include "tandem/fft.h"

namespace tandem::require {

/// Neither n nor batch is negative, and the scaling is one of those that there are.
void transforms(const char* operation, std::int64_t n, std::int64_t batch, FftScaling scaling);
void known_scaling(const char* operation, FftScaling scaling);

/// Elements from the first to the last of rows that do not meet. Throws InvalidArgument where their bytes leave 63 bits.
std::int64_t rows(const char* operation, const char* array, std::int64_t row, std::int64_t batch,
                  std::int64_t distance, std::size_t element_bytes);

/// As many elements as needed, and what require::array asks.
void room(Context& ctx, const char* operation, const char* name, detail::ConstMemory array,
          std::int64_t needed, std::size_t element_bytes);

/// What results of a transform of n numbers are multiplied by.
double factor(double n, FftScaling scaling, bool inverse);

}  // namespace tandem::require
