#include "tandem/spmv.h"

#include "lib/core/call.h"
#include "lib/ops/spmv/products.h"
#include "lib/ops/spmv/tiles.h"

namespace tandem::detail {

void spmv(Context& ctx, Type type, const CsrPattern& a, const void* values, const void* alpha, ConstMemory x,
          const void* beta, Memory y, const Options& options, const SpmvAnalysis* kept) {
  public_call(ctx, [&] {
    require::product(ctx, Spmv::name, a.rows(), a.cols(), x, y, size_of(type),
                     {{"offsets", a.offsets(), a.rows() + 1, sizeof(std::int64_t)},
                      {"columns", a.columns().data(), a.elements(), size_of(a.columns().type())},
                      {"values", values, a.elements(), size_of(type)}});
    for_case<Spmv>({type, OperatorId::none}, [&]<class C>() {
      using T = typename C::T;
      const Spmv::Shape shape{a.rows(), a.cols(), a.elements(),
                              kept              ? kept->longest
                              : a.longest() < 0 ? a.elements()
                                                : a.longest()};
      call<Spmv, C>(
          ctx,
          C::args(shape, a.offsets(), a.columns(), static_cast<const T*>(values),
                  static_cast<const T*>(x.data), static_cast<T*>(y.data), *static_cast<const T*>(alpha),
                  *static_cast<const T*>(beta), kept ? kept->tiles.data() : nullptr),
          shape, options);
    });
  });
}

SpmvAnalysis analyse(Context& ctx, const CsrPattern& a) {
  return public_call(ctx, [&] {
    require::array(ctx, "analyse", "offsets", a.offsets(), a.rows() + 1, sizeof(std::int64_t));
    std::vector<std::int64_t> offsets(static_cast<std::size_t>(a.rows()) + 1);
    ctx.copy(offsets.data(), a.offsets(), offsets.size() * sizeof offsets[0]);
    ctx.synchronize();
    std::int64_t longest = 0;
    for (std::size_t i = 1; i < offsets.size(); ++i) longest = std::max(longest, offsets[i] - offsets[i - 1]);
    return SpmvAnalysis{longest, Array<PathPoint>(ctx, tiles_of(offsets))};
  });
}

}  // namespace tandem::detail
