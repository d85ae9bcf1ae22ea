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

namespace {

/// first(of a case) is the operand before the first element.
template <class First>
void scan_after(Context& ctx, CaseId id, ConstMemory in, Memory out, bool exclusive, const Options& options,
                const First& first) {
  public_call(ctx, [&] {
    const std::size_t size = size_of(id.type);
    check_scan(ctx, {in.data, in.size, size, 0}, {out.data, out.size, size, 0}, true);
    for_case<Scan>(id, [&]<class C>() {
      using T = typename C::T;
      call<Scan, C>(ctx,
                    {static_cast<const T*>(in.data), in.size, static_cast<T*>(out.data), exclusive,
                     first.template operator()<C>()},
                    {in.size, exclusive, in.data == out.data, true}, options);
    });
  });
}

}  // namespace

void scan(Context& ctx, CaseId id, ConstMemory in, Memory out, bool exclusive, const void* init,
          const Options& options) {
  scan_after(ctx, id, in, out, exclusive, options, [&]<class C>() {
    return init ? C::load(*static_cast<const typename C::T*>(init)) : C::identity();
  });
}

void scan_from(Context& ctx, CaseId id, ConstMemory in, Memory out, bool exclusive, const void* before) {
  scan_after(ctx, id, in, out, exclusive, {},
             [&]<class C>() { return *static_cast<const typename C::Acc*>(before); });
}

}  // namespace tandem::detail
