#include "tandem/convolve.h"

#include "lib/core/call.h"
#include "lib/ops/convolve/contract.h"
#include "lib/ops/fft/arguments.h"

namespace tandem::detail {

void convolve(Context& ctx, Type type, ConstMemory in, ConstMemory filter, Memory out, const Transforms& rows,
              const Options& options) {
  public_call(ctx, [&] {
    constexpr const char* kName = Convolve::name;
    require::transforms(kName, rows.n, rows.batch, rows.scaling);
    const std::size_t bytes = 2 * size_of(type);
    const std::int64_t in_distance = rows.in_distance == 0 ? rows.n : rows.in_distance;
    const std::int64_t out_distance = rows.out_distance == 0 ? rows.n : rows.out_distance;
    const std::int64_t in_size = require::rows(kName, "in", rows.n, rows.batch, in_distance, bytes);
    const std::int64_t out_size = require::rows(kName, "out", rows.n, rows.batch, out_distance, bytes);
    const std::int64_t filter_size = rows.batch == 0 ? 0 : rows.n;
    require::room(ctx, kName, "in", in, in_size, bytes);
    require::room(ctx, kName, "filter", filter, filter_size, bytes);
    require::room(ctx, kName, "out", {out.data, out.size}, out_size, bytes);
    const std::size_t out_bytes = static_cast<std::size_t>(out_size) * bytes;
    require::overlap(kName, in.data, static_cast<std::size_t>(in_size) * bytes, out.data, out_bytes,
                     in_distance == out_distance);
    require::overlap(kName, filter.data, static_cast<std::size_t>(filter_size) * bytes, out.data, out_bytes,
                     false, "filter");
    for_case<Convolve>({type, OperatorId::none}, [&]<class C>() {
      using T = typename C::T;
      const auto n = static_cast<double>(rows.n);
      const double both = require::factor(n, rows.scaling, false) * require::factor(n, rows.scaling, true);
      call<Convolve, C>(
          ctx,
          {static_cast<const Complex<T>*>(in.data), static_cast<const Complex<T>*>(filter.data),
           static_cast<Complex<T>*>(out.data), rows.n, rows.batch, in_distance, out_distance,
           static_cast<T>(both)},
          {rows.n, rows.batch, in.data == out.data, in_distance - rows.n, out_distance - rows.n}, options);
    });
  });
}

}  // namespace tandem::detail
