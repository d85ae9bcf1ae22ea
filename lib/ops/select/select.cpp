#include "tandem/select.h"

#include "lib/core/call.h"
#include "lib/ops/select/contract.h"

namespace tandem::detail {
namespace {

void check_room(std::int64_t in, std::int64_t out) {
  if (out >= in) return;
  throw InvalidArgument("select: size of 'out' is " + std::to_string(out) + "; it must be at least " +
                        std::to_string(in) + ", the size of 'in'");
}
void check_count(Context& ctx, const void* count, std::int64_t size) {
  require::array(ctx, Select::name, "count", count, size, sizeof(std::int64_t));
  if (size < 1) throw InvalidArgument("select: size of 'count' is 0; it must be at least 1");
}
void apart_from_count(const char* argument, const void* data, std::size_t bytes, const void* count) {
  require::overlap(Select::name, data, bytes, count, sizeof(std::int64_t), false, argument, "count");
}

void call_select(Context& ctx, Type type, Selection what, ConstMemory in, const void* range,
                 ConstMemory flags, Memory out, std::int64_t* count, const Options& options) {
  const bool flagged = what == Selection::flags;
  const std::size_t size = size_of(type), bytes = static_cast<std::size_t>(in.size) * size;
  require::array(ctx, Select::name, "out", out.data, out.size, size);
  check_room(in.size, out.size);
  require::overlap(Select::name, in.data, bytes, out.data, bytes, true);
  if (flagged) {
    require::array(ctx, Select::name, "flags", flags.data, flags.size, 1);
    require::same_size(Select::name, in.size, flags.size, "in", "flags");
    require::overlap(Select::name, flags.data, static_cast<std::size_t>(flags.size), out.data, bytes, false,
                     "flags", "out");
  }
  for_case<Select>({type, OperatorId::none}, [&]<class C>() {
    using T = typename C::T;
    call<Select, C>(ctx,
                    {static_cast<const T*>(in.data), in.size, what,
                     range ? *static_cast<const Range<T>*>(range) : Range<T>::nothing(),
                     static_cast<const std::uint8_t*>(flags.data), static_cast<T*>(out.data), count},
                    {in.size, what, in.data == out.data && in.size > 0}, options);
  });
}

}  // namespace

void check_own_select(Context& ctx, const AnyArray& in, const AnyArray& out, const AnyArray* count) {
  require::array(ctx, Select::name, "in", in.data, in.size, in.element_bytes, in.alignment);
  require::array(ctx, Select::name, "out", out.data, out.size, out.element_bytes, out.alignment);
  check_room(in.size, out.size);
  const std::size_t bytes = static_cast<std::size_t>(in.size) * in.element_bytes;
  require::overlap(Select::name, in.data, bytes, out.data, bytes, false);
  if (!count) return;
  check_count(ctx, count->data, count->size);
  apart_from_count("in", in.data, bytes, count->data);
  apart_from_count("out", out.data, bytes, count->data);
}

void select_into(Context& ctx, Type type, Selection what, ConstMemory in, const void* range,
                 ConstMemory flags, Memory out, Memory count, const Options& options) {
  public_call(ctx, [&] {
    const std::size_t size = size_of(type), bytes = static_cast<std::size_t>(in.size) * size;
    require::array(ctx, Select::name, "in", in.data, in.size, size);
    check_count(ctx, count.data, count.size);
    apart_from_count("in", in.data, bytes, count.data);
    apart_from_count("out", out.data, bytes, count.data);
    apart_from_count("flags", flags.data, static_cast<std::size_t>(flags.size), count.data);
    call_select(ctx, type, what, in, range, flags, out, static_cast<std::int64_t*>(count.data), options);
  });
}

std::int64_t select(Context& ctx, Type type, Selection what, ConstMemory in, const void* range,
                    ConstMemory flags, Memory out, const Options& options) {
  std::int64_t count = 0;
  public_call(ctx, [&] {
    require::array(ctx, Select::name, "in", in.data, in.size, size_of(type));
    auto* slot = ctx.state<std::int64_t>("select count");
    call_select(ctx, type, what, in, range, flags, out, slot, options);
    ctx.copy(&count, slot, sizeof count);
    ctx.synchronize();
  });
  return count;
}

}  // namespace tandem::detail
