#include "tandem/fft_nd.h"

#include "lib/ops/fft/arguments.h"
#include "lib/ops/fft_nd/arguments.h"

namespace tandem::detail {

void fft_nd(Context& ctx, Type type, ConstMemory in, Memory out, const Grid& grids, bool inverse,
            const Options& options) {
  public_call(ctx, [&] {
    const OfAxes extents = require::extents(FftNd::name, grids);
    const std::int64_t points = FftNd::points(extents);
    const std::size_t bytes = 2 * size_of(type);
    require::GridSide from{"in", in, bytes}, to{"out", {out.data, out.size}, bytes};
    require::lay_out(FftNd::name, from, grids, extents, grids.in_strides, grids.in_distance);
    require::lay_out(FftNd::name, to, grids, extents, grids.out_strides, grids.out_distance);
    require::elements_apart(FftNd::name, to, extents, grids.batch);
    for (const require::GridSide* side : {&from, &to})
      require::room(ctx, FftNd::name, side->name, side->array, side->size, bytes);
    require::overlap(FftNd::name, in.data, static_cast<std::size_t>(from.size) * bytes, out.data,
                     static_cast<std::size_t>(to.size) * bytes, from.layout == to.layout);
    for_case<FftNd>({type, OperatorId::none}, [&]<class C>() {
      using T = typename C::T;
      const auto factor =
          static_cast<T>(require::factor(static_cast<double>(points), grids.scaling, inverse));
      call<FftNd, C>(
          ctx,
          {static_cast<const Complex<T>*>(in.data), static_cast<Complex<T>*>(out.data), extents, grids.batch,
           from.layout, to.layout, inverse, factor},
          {extents, grids.batch, from.layout, to.layout, inverse, in.data == out.data, factor != 1}, options);
    });
  });
}

}  // namespace tandem::detail
