#include "tandem/top_k.h"

#include <fmt/format.h>

#include "lib/core/call.h"
#include "lib/ops/top_k/contract.h"

namespace tandem::detail {
namespace {

struct Argument {
  const char* name;
  const void* data;
  std::int64_t size;
  std::size_t element_bytes;
  std::size_t bytes() const { return static_cast<std::size_t>(size) * element_bytes; }
};

void require_apart(const Argument& a, const Argument& b) {
  require::overlap(TopK::name, a.data, a.bytes(), b.data, b.bytes(), false, a.name, b.name);
}

}  // namespace

void top_k(Context& ctx, Type type, ConstMemory in, const Memory* keys_out, const Memory* positions_out,
           Order order, const Options& options) {
  public_call(ctx, [&] {
    const Argument input{"in", in.data, in.size, size_of(type)};
    Argument keys{"keys_out", nullptr, 0, size_of(type)};
    Argument positions{"positions_out", nullptr, 0, sizeof(std::int64_t)};
    if (keys_out) keys.data = keys_out->data, keys.size = keys_out->size;
    if (positions_out) positions.data = positions_out->data, positions.size = positions_out->size;
    for (const Argument& a : {input, keys, positions})
      require::array(ctx, TopK::name, a.name, a.data, a.size, a.element_bytes);
    if (keys_out && positions_out)
      require::same_size(TopK::name, keys.size, positions.size, keys.name, positions.name);
    const Argument& first = keys_out ? keys : positions;
    if (first.size > in.size) {
      throw InvalidArgument(
          fmt::format("top_k: k, the size of '{}', is {}; it must be at most {}, the size of 'in'",
                      first.name, first.size, in.size));
    }
    if (order != Order::descending && order != Order::ascending) {
      throw InvalidArgument(fmt::format("top_k: order is {}; it must be 0 (descending) or 1 (ascending)",
                                        static_cast<int>(order)));
    }
    require_apart(input, keys);
    require_apart(input, positions);
    require_apart(keys, positions);
    const bool descending = order == Order::descending;
    for_case<TopK>({type, OperatorId::none}, [&]<class C>() {
      using Key = typename C::Key;
      const typename C::Args args{static_cast<const Key*>(in.data),
                                  in.size,
                                  first.size,
                                  keys_out ? static_cast<Key*>(keys_out->data) : nullptr,
                                  positions_out ? static_cast<std::int64_t*>(positions_out->data) : nullptr,
                                  C::order(descending)};
      call<TopK, C>(ctx, args,
                    {in.size, first.size, descending, keys_out != nullptr, positions_out != nullptr},
                    options);
    });
  });
}

}  // namespace tandem::detail
