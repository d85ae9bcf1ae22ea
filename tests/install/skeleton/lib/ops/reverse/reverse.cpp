#include "tandem/reverse.h"

#include "lib/core/call.h"
#include "lib/ops/reverse/contract.h"

namespace tandem::detail {

void reverse(Context& ctx, Type type, ConstMemory in, Memory out, const Options& options) {
  const Lending lending(ctx);
  for_case<Reverse>({type, OperatorId::none}, [&]<class C>() {
    using T = typename C::T;
    require::array(ctx, Reverse::name, "in", in.data, in.size, sizeof(T));
    require::array(ctx, Reverse::name, "out", out.data, out.size, sizeof(T));
    require::same_size(Reverse::name, in.size, out.size);
    const std::size_t bytes = static_cast<std::size_t>(in.size) * sizeof(T);
    require::overlap(Reverse::name, in.data, bytes, out.data, bytes, false);
    call<Reverse, C>(ctx, {static_cast<const T*>(in.data), in.size, static_cast<T*>(out.data)}, {in.size},
                     options);
  });
}

}  // namespace tandem::detail
