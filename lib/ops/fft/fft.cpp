#include "tandem/fft.h"

#include "lib/core/call.h"
#include "lib/ops/fft/arguments.h"
#include "lib/ops/fft/contract.h"

namespace tandem::detail {

void fft(Context& ctx, Type type, ConstMemory in, Memory out, const Transforms& rows, bool inverse,
         const Options& options) {
  public_call(ctx, [&] {
    require::transforms(Fft::name, rows.n, rows.batch, rows.scaling);
    const std::size_t bytes = 2 * size_of(type);
    const std::int64_t in_distance = rows.in_distance == 0 ? rows.n : rows.in_distance;
    const std::int64_t out_distance = rows.out_distance == 0 ? rows.n : rows.out_distance;
    const std::int64_t in_size = require::rows(Fft::name, "in", rows.n, rows.batch, in_distance, bytes);
    const std::int64_t out_size = require::rows(Fft::name, "out", rows.n, rows.batch, out_distance, bytes);
    require::room(ctx, Fft::name, "in", in, in_size, bytes);
    require::room(ctx, Fft::name, "out", {out.data, out.size}, out_size, bytes);
    require::overlap(Fft::name, in.data, static_cast<std::size_t>(in_size) * bytes, out.data,
                     static_cast<std::size_t>(out_size) * bytes, in_distance == out_distance);
    for_case<Fft>({type, OperatorId::none}, [&]<class C>() {
      using T = typename C::T;
      const auto factor = static_cast<T>(require::factor(static_cast<double>(rows.n), rows.scaling, inverse));
      call<Fft, C>(ctx,
                   {static_cast<const Complex<T>*>(in.data), static_cast<Complex<T>*>(out.data), rows.n,
                    rows.batch, in_distance, out_distance, inverse, factor},
                   {rows.n, rows.batch, in.data == out.data, inverse, in_distance - rows.n,
                    out_distance - rows.n, factor != 1},
                   options);
    });
  });
}

}  // namespace tandem::detail
