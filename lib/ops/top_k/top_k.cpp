#include "tandem/top_k.h"

#include <fmt/format.h>

#include "lib/core/call.h"
#include "lib/ops/top_k/contract.h"

namespace tandem::detail {
namespace {

struct Argument {
  const char* name;
  AnyArray array;
};

void require_apart(const Argument& a, const Argument& b) {
  require::overlap(TopK::name, a.array.data, a.array.bytes(), b.array.data, b.array.bytes(), false, a.name,
                   b.name);
}

}  // namespace

void check_top_k(Context& ctx, const AnyArray& in, const AnyArray* keys_out, const AnyArray* positions_out) {
  const AnyArray none{nullptr, 0, 1, 1};
  const Argument input{"in", in}, keys{"keys_out", keys_out ? *keys_out : none},
      positions{"positions_out", positions_out ? *positions_out : none};
  for (const auto& [name, a] : {input, keys, positions})
    require::array(ctx, TopK::name, name, a.data, a.size, a.element_bytes, a.alignment);
  if (keys_out && positions_out)
    require::same_size(TopK::name, keys.array.size, positions.array.size, keys.name, positions.name);
  const auto& [name, first] = keys_out ? keys : positions;
  if (first.size > in.size) {
    throw InvalidArgument(
        fmt::format("top_k: k, the size of '{}', is {}; it must be at most {}, the size of 'in'", name,
                    first.size, in.size));
  }
  require_apart(input, keys);
  require_apart(input, positions);
  require_apart(keys, positions);
}

void top_k(Context& ctx, Type type, ConstMemory in, const Memory* keys_out, const Memory* positions_out,
           Order order, const Options& options) {
  public_call(ctx, [&] {
    const auto array = [](const auto& memory, std::size_t bytes) {
      return AnyArray{memory.data, memory.size, bytes, 0};
    };
    AnyArray keys{}, positions{};
    if (keys_out) keys = array(*keys_out, size_of(type));
    if (positions_out) positions = array(*positions_out, sizeof(std::int64_t));
    check_top_k(ctx, array(in, size_of(type)), keys_out ? &keys : nullptr,
                positions_out ? &positions : nullptr);
    const std::int64_t k = keys_out ? keys.size : positions.size;
    if (order != Order::descending && order != Order::ascending) {
      throw InvalidArgument(fmt::format("top_k: order is {}; it must be 0 (descending) or 1 (ascending)",
                                        static_cast<int>(order)));
    }
    const bool descending = order == Order::descending;
    for_case<TopK>({type, OperatorId::none}, [&]<class C>() {
      using Key = typename C::Key;
      const typename C::Args args{static_cast<const Key*>(in.data),
                                  in.size,
                                  k,
                                  keys_out ? static_cast<Key*>(keys_out->data) : nullptr,
                                  positions_out ? static_cast<std::int64_t*>(positions_out->data) : nullptr,
                                  C::order(descending)};
      call<TopK, C>(ctx, args, {in.size, k, descending, keys_out != nullptr, positions_out != nullptr},
                    options);
    });
  });
}

}  // namespace tandem::detail
