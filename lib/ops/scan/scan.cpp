#include "tandem/scan.h"

#include "lib/core/call.h"
#include "lib/ops/scan/contract.h"

namespace tandem::detail {

void check_scan(Context& ctx, const AnyArray& in, const AnyArray& out, bool may_be_in_place) {
  require::array(ctx, Scan::name, "in", in.data, in.size, in.element_bytes, in.alignment);
  require::array(ctx, Scan::name, "out", out.data, out.size, out.element_bytes, out.alignment);
  require::same_size(Scan::name, in.size, out.size);
  const auto n = static_cast<std::size_t>(in.size);
  require::overlap(Scan::name, in.data, n * in.element_bytes, out.data, n * out.element_bytes,
                   may_be_in_place);
}

void scan(Context& ctx, CaseId id, ConstMemory in, Memory out, bool exclusive, const void* init,
          const Options& options) {
  public_call(ctx, [&] {
    const std::size_t size = size_of(id.type);
    check_scan(ctx, {in.data, in.size, size, 0}, {out.data, out.size, size, 0}, true);
    for_case<Scan>(id, [&]<class C>() {
      using T = typename C::T;
      const auto first = init ? C::load(*static_cast<const T*>(init)) : C::identity();
      call<Scan, C>(ctx,
                    {static_cast<const T*>(in.data), in.size, static_cast<T*>(out.data), exclusive, first},
                    {in.size, exclusive, in.data == out.data, true}, options);
    });
  });
}

}  // namespace tandem::detail
