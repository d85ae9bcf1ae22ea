#include "tandem/reduce_by_key.h"

#include <fmt/format.h>

#include "lib/core/call.h"
#include "lib/ops/reduce_by_key/contract.h"

namespace tandem::detail {
namespace {

constexpr const char* kName = ReduceByKey::name;

/// One of a call's arrays.
struct Operand {
  const char* name;
  const void* data;
  std::size_t bytes;
};

void check_arrays(Context& ctx, CaseId id, const KeyedArrays& a, const Memory* count) {
  const std::size_t size = size_of(id.type), key_size = size_of(a.key_type);
  const std::int64_t n = a.keys.size;
  require::array(ctx, kName, "keys", a.keys.data, n, key_size);
  require::array(ctx, kName, "in", a.in.data, a.in.size, size);
  require::same_size(kName, n, a.in.size, "keys", "in");
  const auto room = [&](const char* argument, const Memory& memory, std::size_t element) {
    require::array(ctx, kName, argument, memory.data, memory.size, element);
    if (memory.size < n) {
      throw InvalidArgument(fmt::format("{}: size of '{}' is {}; it must be at least {}, the size of 'keys'",
                                        kName, argument, memory.size, n));
    }
  };
  room("keys_out", a.keys_out, key_size);
  room("out", a.out, size);
  if (count) {
    require::array(ctx, kName, "count", count->data, count->size, sizeof(std::int64_t));
    if (count->size < 1)
      throw InvalidArgument(fmt::format("{}: size of 'count' is 0; it must be at least 1", kName));
  }
  const auto elements = static_cast<std::size_t>(n);
  const Operand read[] = {{"keys", a.keys.data, elements * key_size}, {"in", a.in.data, elements * size}};
  const Operand written[] = {{"keys_out", a.keys_out.data, elements * key_size},
                             {"out", a.out.data, elements * size},
                             {"count", count ? count->data : nullptr, count ? sizeof(std::int64_t) : 0}};
  const auto apart = [](const Operand& x, const Operand& y) {
    require::overlap(kName, x.data, x.bytes, y.data, y.bytes, false, x.name, y.name);
  };
  for (std::size_t w = 0; w < std::size(written); ++w) {
    for (const Operand& r : read) apart(r, written[w]);
    for (std::size_t before = 0; before < w; ++before) apart(written[before], written[w]);
  }
}

void run(Context& ctx, CaseId id, const KeyedArrays& a, std::int64_t* count, const Options& options) {
  for_case<ReduceByKey>(id, [&]<class C>() {
    using T = typename C::T;
    call<ReduceByKey, C>(ctx,
                         {{a.keys.data, a.key_type},
                          static_cast<const T*>(a.in.data),
                          a.in.size,
                          a.keys_out.data,
                          static_cast<T*>(a.out.data),
                          count},
                         {a.in.size, static_cast<int>(size_of(a.key_type))}, options);
  });
}

}  // namespace

void reduce_by_key_into(Context& ctx, CaseId id, const KeyedArrays& arrays, Memory count,
                        const Options& options) {
  public_call(ctx, [&] {
    check_arrays(ctx, id, arrays, &count);
    run(ctx, id, arrays, static_cast<std::int64_t*>(count.data), options);
  });
}

std::int64_t reduce_by_key(Context& ctx, CaseId id, const KeyedArrays& arrays, const Options& options) {
  std::int64_t count = 0;
  public_call(ctx, [&] {
    check_arrays(ctx, id, arrays, nullptr);
    auto* slot = ctx.state<std::int64_t>("reduce_by_key count");
    run(ctx, id, arrays, slot, options);
    ctx.copy(&count, slot, sizeof count);
    ctx.synchronize();
  });
  return count;
}

}  // namespace tandem::detail
