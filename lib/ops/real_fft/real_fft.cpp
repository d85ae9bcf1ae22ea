#include "tandem/real_fft.h"

#include "lib/core/call.h"
#include "lib/ops/fft/arguments.h"
#include "lib/ops/real_fft/contract.h"

namespace tandem::detail {

void real_fft(Context& ctx, Type type, ConstMemory in, Memory out, const Transforms& rows, bool inverse,
              const Options& options) {
  public_call(ctx, [&] {
    require::transforms(RealFft::name, rows.n, rows.batch, rows.scaling);
    struct Side {
      const char* name;
      ConstMemory array;
      std::int64_t given;  // distance
      bool real;
      std::int64_t row = 0, distance = 0, size = 0;  // of elements of `bytes`
      std::size_t bytes = 0;
    } from{"in", in, rows.in_distance, !inverse}, to{"out", {out.data, out.size}, rows.out_distance, inverse};
    for (Side* side : {&from, &to}) {
      side->row = side->real || rows.n == 0 ? rows.n : RealFft::spectrum_size(rows.n);
      side->bytes = (side->real ? 1 : 2) * size_of(type);
      side->distance = side->given == 0 ? side->row : side->given;
      side->size =
          require::rows(RealFft::name, side->name, side->row, rows.batch, side->distance, side->bytes);
    }
    for (const Side* side : {&from, &to})
      require::room(ctx, RealFft::name, side->name, side->array, side->size, side->bytes);
    const Side &real = inverse ? to : from, &complex = inverse ? from : to;
    require::overlap(RealFft::name, in.data, static_cast<std::size_t>(from.size) * from.bytes, out.data,
                     static_cast<std::size_t>(to.size) * to.bytes,
                     rows.batch <= 1 || (real.distance % 2 == 0 && real.distance / 2 == complex.distance));
    for_case<RealFft>({type, OperatorId::none}, [&]<class C>() {
      using T = typename C::T;
      const auto factor = static_cast<T>(require::factor(static_cast<double>(rows.n), rows.scaling, inverse));
      call<RealFft, C>(ctx,
                       {static_cast<const T*>(in.data), static_cast<T*>(out.data), rows.n, rows.batch,
                        from.distance, to.distance, inverse, factor},
                       {rows.n, rows.batch, inverse, in.data == out.data, from.distance - from.row,
                        to.distance - to.row, factor != 1},
                       options);
    });
  });
}

}  // namespace tandem::detail
