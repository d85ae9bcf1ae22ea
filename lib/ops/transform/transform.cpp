#include "tandem/transform.h"

#include <algorithm>

#include "lib/core/call.h"
#include "lib/ops/transform/contract.h"

namespace tandem::detail {
namespace {
const char* input_name(std::size_t k) {
  constexpr const char* kNames[] = {"x", "y", "w", "v"};  // as in the public signatures
  return k < std::size(kNames) ? kNames[k] : "an input behind the fourth";
}
}  // namespace

void check_transform(Context& ctx, const TransformArray& z, std::span<const TransformArray> in) {
  const auto right = [&](const char* name, const TransformArray& a) {
    require::array(ctx, Transform::name, name, a.data, a.size, a.element_bytes, a.alignment);
  };
  for (std::size_t k = 0; k < in.size(); ++k) right(input_name(k), in[k]);
  right("z", z);
  for (std::size_t k = 0; k < in.size(); ++k)
    require::same_size(Transform::name, in[0].size, in[k].size, "x", input_name(k));
  require::same_size(Transform::name, in[0].size, z.size, "x", "z");
  for (std::size_t k = 0; k < in.size(); ++k) {
    const auto n = static_cast<std::size_t>(z.size);
    require::overlap(Transform::name, in[k].data, n * in[k].element_bytes, z.data, n * z.element_bytes,
                     in[k].element_bytes == z.element_bytes, input_name(k), "z");
  }
}

namespace {
/// Integers wrap, so that those without a sign get the bits of those with one.
CaseId computed_as(CaseId id) {
  if (id.type == Type::u32) id.type = Type::i32;
  if (id.type == Type::u64) id.type = Type::i64;
  return id;
}
}  // namespace

void transform(Context& ctx, CaseId id, const TransformArray& z, std::span<const TransformArray> in,
               const void* scalar, const Options& options) {
  public_call(ctx, [&] {
    check_transform(ctx, z, in);
    for_case<Transform>(computed_as(id), [&]<class C>() {
      using T = typename C::T;
      typename C::Args args{};
      for (std::size_t k = 0; k < C::kInputs; ++k) args.in[k] = static_cast<const T*>(in[k].data);
      args.n = z.size;
      args.out = static_cast<T*>(const_cast<void*>(z.data));
      if constexpr (requires { args.f.alpha; }) args.f.alpha = *static_cast<const T*>(scalar);
      const bool in_place =
          std::any_of(in.begin(), in.end(), [&](auto& input) { return input.data == z.data; });
      call<Transform, C>(ctx, args, {z.size, in_place}, options);
    });
  });
}

}  // namespace tandem::detail
