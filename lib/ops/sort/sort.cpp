#include "tandem/sort.h"

#include <fmt/format.h>

#include "lib/core/call.h"
#include "lib/ops/sort/contract.h"

namespace tandem::detail {
namespace {

struct Argument {
  const char* name;
  const void* data;
  std::int64_t size;
  std::size_t element_bytes;
  std::size_t bytes() const { return static_cast<std::size_t>(size) * element_bytes; }
};

void require_apart(const Argument& in, const Argument& out, bool may_be_same) {
  require::overlap(Sort::name, in.data, in.bytes(), out.data, out.bytes(), may_be_same, in.name, out.name);
}

/// Keys and values may each be sorted in place.
void require_pairs_apart(const Argument& keys, const Argument& values, const Argument& keys_out,
                         const Argument& values_out) {
  require_apart(keys, keys_out, true);
  require_apart(keys, values_out, false);
  require_apart(values, keys_out, false);
  require_apart(values, values_out, true);
  require_apart(keys_out, values_out, false);
}

/// The bit behind the last one that counts.
int require_bits(Type type, const SortOrder& order) {
  const int bits = static_cast<int>(8 * size_of(type)), end = order.end_bit == -1 ? bits : order.end_bit;
  if (end < 0 || end > bits) {
    throw InvalidArgument(fmt::format("sort: end_bit is {}; it must be from 0 to {}, the bits of {}, or -1",
                                      end, bits, tandem::name(type)));
  }
  if (order.begin_bit < 0 || order.begin_bit > end) {
    throw InvalidArgument(
        fmt::format("sort: begin_bit is {}; it must be from 0 to {}, the end", order.begin_bit, end));
  }
  return end;
}

}  // namespace

void check_own_sort(Context& ctx, const AnyArray& keys, const AnyArray& keys_out) {
  const Argument in{"keys", keys.data, keys.size, keys.element_bytes};
  const Argument out{"keys_out", keys_out.data, keys_out.size, keys_out.element_bytes};
  for (const Argument& a : {in, out})
    require::array(ctx, Sort::name, a.name, a.data, a.size, a.element_bytes, keys.alignment);
  require::same_size(Sort::name, in.size, out.size, in.name, out.name);
  require_apart(in, out, true);
}

void check_own_sort_by_key(Context& ctx, const AnyArray& keys, const AnyArray& values,
                           const AnyArray& keys_out, const AnyArray& values_out) {
  const auto named = [&](const char* name, const AnyArray& a) {
    require::array(ctx, Sort::name, name, a.data, a.size, a.element_bytes, a.alignment);
    require::same_size(Sort::name, keys.size, a.size, "keys", name);
    return Argument{name, a.data, a.size, a.element_bytes};
  };
  require_pairs_apart(named("keys", keys), named("values", values), named("keys_out", keys_out),
                      named("values_out", values_out));
}

void sort(Context& ctx, Type type, ConstMemory keys, Memory keys_out, const SortValues& values,
          const SortOrder& order, const Options& options) {
  public_call(ctx, [&] {
    const int end_bit = require_bits(type, order);
    const std::size_t key_bytes = size_of(type), value_bytes = static_cast<std::size_t>(values.bytes);
    const Argument in{"keys", keys.data, keys.size, key_bytes};
    const Argument out{"keys_out", keys_out.data, keys_out.size, key_bytes};
    const Argument values_in{"values", values.in.data, values.in.size, value_bytes};
    const Argument values_out{"values_out", values.out.data, values.out.size, value_bytes};
    for (const Argument& a : {in, out, values_in, values_out}) {
      if (a.element_bytes == 0) continue;
      require::array(ctx, Sort::name, a.name, a.data, a.size, a.element_bytes);
      require::same_size(Sort::name, in.size, a.size, in.name, a.name);
    }
    require_pairs_apart(in, values_in, out, values_out);
    for_case<Sort>({type, OperatorId::none}, [&]<class C>() {
      using Key = typename C::Key;
      const typename C::Args args{static_cast<const Key*>(keys.data),
                                  keys.size,
                                  static_cast<Key*>(keys_out.data),
                                  values.in.data,
                                  values.out.data,
                                  values.bytes,
                                  C::order(order.descending, order.begin_bit, end_bit)};
      const bool all_bits = args.order.width == KeyOrder<Key>::kBits;
      call<Sort, C>(ctx, args, {keys.size, values.bytes, order.descending, args.in_place(), all_bits},
                    options);
    });
  });
}

}  // namespace tandem::detail
