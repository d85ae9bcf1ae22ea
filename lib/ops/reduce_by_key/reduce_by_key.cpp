#include "tandem/reduce_by_key.h"

#include <fmt/format.h>

#include "lib/core/call.h"
#include "lib/ops/reduce_by_key/contract.h"

namespace tandem::detail {
namespace {

constexpr const char* kName = ReduceByKey::name;

template <class Memory>
AnyArray array_of(const Memory& memory, std::size_t element_bytes) {
  return {memory.data, memory.size, element_bytes, 0};
}

void check(Context& ctx, CaseId id, const KeyedArrays& a, const Memory* count) {
  const std::size_t key = size_of(a.key_type);
  const AnyArray counts = count ? array_of(*count, sizeof(std::int64_t)) : AnyArray{};
  for_case<ReduceByKey>(id, [&]<class C>() {
    check_reduce_by_key(ctx, array_of(a.keys, key), array_of(a.in, sizeof(typename C::T)),
                        array_of(a.keys_out, key), array_of(a.out, sizeof(typename C::Acc)),
                        count ? &counts : nullptr);
  });
}

void run(Context& ctx, CaseId id, const KeyedArrays& a, std::int64_t* count, const Options& options) {
  for_case<ReduceByKey>(id, [&]<class C>() {
    call<ReduceByKey, C>(ctx,
                         {{a.keys.data, a.key_type},
                          static_cast<const typename C::T*>(a.in.data),
                          a.in.size,
                          a.keys_out.data,
                          static_cast<typename C::Acc*>(a.out.data),
                          count},
                         {a.in.size, static_cast<int>(size_of(a.key_type))}, options);
  });
}

}  // namespace

void check_reduce_by_key(Context& ctx, const AnyArray& keys, const AnyArray& in, const AnyArray& keys_out,
                         const AnyArray& out, const AnyArray* count) {
  const std::int64_t n = keys.size;
  const auto array = [&](const char* name, const AnyArray& a) {
    require::array(ctx, kName, name, a.data, a.size, a.element_bytes, a.alignment);
  };
  array("keys", keys);
  array("in", in);
  require::same_size(kName, n, in.size, "keys", "in");
  const auto room = [&](const char* name, const AnyArray& a) {
    array(name, a);
    if (a.size < n) {
      throw InvalidArgument(fmt::format("{}: size of '{}' is {}; it must be at least {}, the size of 'keys'",
                                        kName, name, a.size, n));
    }
  };
  room("keys_out", keys_out);
  room("out", out);
  if (count) {
    array("count", *count);
    if (count->size < 1)
      throw InvalidArgument(fmt::format("{}: size of 'count' is 0; it must be at least 1", kName));
  }
  struct Named {
    const char* name;
    AnyArray array;  // what a call reads or writes of it
  };
  const auto first = [](AnyArray a, std::int64_t size) {
    a.size = size;
    return a;
  };
  const Named read[] = {{"keys", keys}, {"in", in}};
  const Named written[] = {{"keys_out", first(keys_out, n)},
                           {"out", first(out, n)},
                           {"count", count ? first(*count, 1) : AnyArray{}}};
  const auto apart = [](const Named& x, const Named& y) {
    require::overlap(kName, x.array.data, x.array.bytes(), y.array.data, y.array.bytes(), false, x.name,
                     y.name);
  };
  for (std::size_t w = 0; w < std::size(written); ++w) {
    for (const Named& r : read) apart(r, written[w]);
    for (std::size_t before = 0; before < w; ++before) apart(written[before], written[w]);
  }
}

void reduce_by_key_into(Context& ctx, CaseId id, const KeyedArrays& arrays, Memory count,
                        const Options& options) {
  public_call(ctx, [&] {
    check(ctx, id, arrays, &count);
    run(ctx, id, arrays, static_cast<std::int64_t*>(count.data), options);
  });
}

std::int64_t reduce_by_key(Context& ctx, CaseId id, const KeyedArrays& arrays, const Options& options) {
  std::int64_t count = 0;
  public_call(ctx, [&] {
    check(ctx, id, arrays, nullptr);
    auto* slot = ctx.state<std::int64_t>("reduce_by_key count");
    run(ctx, id, arrays, slot, options);
    ctx.copy(&count, slot, sizeof count);
    ctx.synchronize();
  });
  return count;
}

}  // namespace tandem::detail
