#include "tandem/reduce.h"

#include "lib/core/call.h"
#include "lib/ops/reduce/contract.h"

namespace tandem::detail {
namespace {

template <class C>
void call_reduce(Context& ctx, ConstMemory in, Memory out, const Options& options) {
  if (options.bits == Bits::portable && Reduce::rounds(C::id) && !Reduce::has_exact_sum<C>)
    throw Unavailable("reduce " + C::id.str() + ": bits is portable, which of what rounds only sums can be");
  call<Reduce, C>(
      ctx, {static_cast<const typename C::T*>(in.data), in.size, static_cast<typename C::Acc*>(out.data)},
      {in.size, options.bits == Bits::portable}, options);
}

}  // namespace

void reduce_into(Context& ctx, CaseId id, ConstMemory in, Memory out, const Options& options) {
  public_call(ctx, [&] {
    for_case<Reduce>(id, [&]<class C>() {
      constexpr std::size_t kIn = sizeof(typename C::T), kOut = sizeof(typename C::Acc);
      const AnyArray to{out.data, out.size, kOut, 0};
      check_reduce(ctx, {in.data, in.size, kIn, 0}, &to, true);
      call_reduce<C>(ctx, in, out, options);
    });
  });
}

void reduce(Context& ctx, CaseId id, ConstMemory in, void* value, const Options& options) {
  public_call(ctx, [&] {
    for_case<Reduce>(id, [&]<class C>() {
      using Acc = typename C::Acc;
      require::array(ctx, Reduce::name, "in", in.data, in.size, sizeof(typename C::T));
      auto* slot = ctx.state<Acc>("reduce result");
      call_reduce<C>(ctx, in, {slot, 1}, options);
      ctx.copy(value, slot, sizeof(Acc));
      ctx.synchronize();
    });
  });
}

void check_reduce(Context& ctx, const AnyArray& in, const AnyArray* out, bool may_be_empty) {
  require::array(ctx, Reduce::name, "in", in.data, in.size, in.element_bytes, in.alignment);
  if (in.size == 0 && !may_be_empty) {
    throw InvalidArgument(
        "reduce: size of 'in' is 0; it must be at least 1 for an operator without an identity, unless there "
        "is an initial value");
  }
  if (!out) return;
  require::array(ctx, Reduce::name, "out", out->data, out->size, out->element_bytes, out->alignment);
  if (out->size < 1) throw InvalidArgument("reduce: size of 'out' is 0; it must be at least 1");
  require::overlap(Reduce::name, in.data, static_cast<std::size_t>(in.size) * in.element_bytes, out->data,
                   out->element_bytes, false);
}

}  // namespace tandem::detail
