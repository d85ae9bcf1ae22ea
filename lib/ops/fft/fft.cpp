#include "tandem/fft.h"

#include <fmt/format.h>

#include <cmath>

#include "lib/core/call.h"
#include "lib/ops/fft/contract.h"

namespace tandem::detail {
namespace {

/// Elements from the first to the last of the rows.
std::int64_t require_rows(const char* array, std::int64_t n, std::int64_t batch, std::int64_t distance,
                          std::size_t element_bytes) {
  if (distance < n) {
    throw InvalidArgument(
        fmt::format("fft: distance between rows of '{}' is {}; it must be at least {}, or rows meet", array,
                    distance, n));
  }
  if (n == 0 || batch == 0) return 0;
  std::int64_t last, size, bytes;
  if (__builtin_mul_overflow(batch - 1, distance, &last) || __builtin_add_overflow(last, n, &size) ||
      __builtin_mul_overflow(size, static_cast<std::int64_t>(element_bytes), &bytes)) {
    throw InvalidArgument(
        fmt::format("fft: {} rows at a distance of {} in '{}' overflow 2^63 bytes", batch, distance, array));
  }
  return size;
}

void require_array(Context& ctx, const char* name, ConstMemory array, std::int64_t needed,
                   std::size_t element_bytes) {
  if (array.size < needed) {
    throw InvalidArgument(
        fmt::format("fft: size of '{}' is {}; it must be at least {}", name, array.size, needed));
  }
  require::array(ctx, Fft::name, name, array.data, needed, element_bytes);
}

double factor(const Transforms& rows, bool inverse) {
  const auto n = static_cast<double>(rows.n);
  if (rows.scaling == FftScaling::unitary) return 1 / std::sqrt(n);
  return inverse && rows.scaling == FftScaling::inverse ? 1 / n : 1;
}

}  // namespace

void fft(Context& ctx, Type type, ConstMemory in, Memory out, const Transforms& rows, bool inverse,
         const Options& options) {
  public_call(ctx, [&] {
    for (const auto& [what, value] : {std::pair{"n", rows.n}, {"batch", rows.batch}}) {
      if (value < 0) throw InvalidArgument(fmt::format("fft: {} is {}; it must be at least 0", what, value));
    }
    if (rows.scaling > FftScaling::none) {
      throw InvalidArgument(
          fmt::format("fft: 'scaling' is {}; it must be FftScaling::inverse, unitary or none",
                      static_cast<int>(rows.scaling)));
    }
    const std::size_t bytes = 2 * size_of(type);
    const std::int64_t in_distance = rows.in_distance == 0 ? rows.n : rows.in_distance;
    const std::int64_t out_distance = rows.out_distance == 0 ? rows.n : rows.out_distance;
    const std::int64_t in_size = require_rows("in", rows.n, rows.batch, in_distance, bytes);
    const std::int64_t out_size = require_rows("out", rows.n, rows.batch, out_distance, bytes);
    require_array(ctx, "in", in, in_size, bytes);
    require_array(ctx, "out", {out.data, out.size}, out_size, bytes);
    require::overlap(Fft::name, in.data, static_cast<std::size_t>(in_size) * bytes, out.data,
                     static_cast<std::size_t>(out_size) * bytes, in_distance == out_distance);
    for_case<Fft>({type, OperatorId::none}, [&]<class C>() {
      using T = typename C::T;
      call<Fft, C>(
          ctx,
          {static_cast<const Complex<T>*>(in.data), static_cast<Complex<T>*>(out.data), rows.n, rows.batch,
           in_distance, out_distance, inverse, static_cast<T>(factor(rows, inverse))},
          {rows.n, rows.batch, in.data == out.data, inverse, in_distance - rows.n, out_distance - rows.n},
          options);
    });
  });
}

}  // namespace tandem::detail
