#include "tandem/real_fft_nd.h"

#include "lib/ops/fft/arguments.h"
#include "lib/ops/fft_nd/arguments.h"
#include "lib/ops/real_fft_nd/contract.h"

namespace tandem::detail {

void real_fft_nd(Context& ctx, Type type, ConstMemory in, Memory out, const Grid& grids, bool inverse,
                 const Options& options) {
  public_call(ctx, [&] {
    constexpr const char* op = RealFftNd::name;
    const OfAxes extents = require::extents(op, grids), spectrum = RealFftNd::spectrum(extents);
    const std::size_t bytes = size_of(type);
    require::GridSide from{"in", in, (inverse ? 2 : 1) * bytes};
    require::GridSide to{"out", {out.data, out.size}, (inverse ? 1 : 2) * bytes};
    const OfAxes &from_extents = inverse ? spectrum : extents, &to_extents = inverse ? extents : spectrum;
    require::lay_out(op, from, grids, from_extents, grids.in_strides, grids.in_distance);
    require::lay_out(op, to, grids, to_extents, grids.out_strides, grids.out_distance);
    require::elements_apart(op, to, to_extents, grids.batch);
    if (in.data == out.data)  // spectra are written there, too
      require::elements_apart(op, from, from_extents, grids.batch);
    for (const require::GridSide* side : {&from, &to})
      require::room(ctx, op, side->name, side->array, side->size, side->bytes);
    const GridLayout &real = inverse ? to.layout : from.layout, &complex = inverse ? from.layout : to.layout;
    require::overlap(op, in.data, static_cast<std::size_t>(from.size) * from.bytes, out.data,
                     static_cast<std::size_t>(to.size) * to.bytes,
                     RealFftNd::rows_meet(real, complex, extents, grids.batch));
    for_case<RealFftNd>({type, OperatorId::none}, [&]<class C>() {
      using T = typename C::T;
      const auto points = static_cast<double>(FftNd::points(extents));
      const auto factor = static_cast<T>(require::factor(points, grids.scaling, inverse));
      call<RealFftNd, C>(
          ctx,
          {static_cast<const T*>(in.data), static_cast<T*>(out.data), extents, grids.batch, from.layout,
           to.layout, inverse, factor},
          {extents, grids.batch, from.layout, to.layout, inverse, in.data == out.data, factor != 1}, options);
    });
  });
}

}  // namespace tandem::detail
