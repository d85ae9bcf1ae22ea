#include "tandem/transpose.h"

#include <fmt/format.h>

#include "lib/core/call.h"
#include "lib/ops/transpose/contract.h"

namespace tandem::detail {
namespace {

/// out has the extents of the transposed `in`, and its layout.
void require_transposed(const MatrixView<const std::byte>& in, const MatrixView<const std::byte>& out) {
  for (const auto& [what, value, of, wanted] :
       {std::tuple{"rows", out.rows, "cols", in.cols}, {"cols", out.cols, "rows", in.rows}}) {
    if (value != wanted) {
      throw InvalidArgument(fmt::format("transpose: {} of 'out' is {}; it must be {}, the {} of 'in'", what,
                                        value, wanted, of));
    }
  }
  if (in.layout != out.layout) {
    throw InvalidArgument(fmt::format("transpose: layout of 'out' is {}; it must be {}, the layout of 'in'",
                                      name(out.layout), name(in.layout)));
  }
}

}  // namespace

void transpose(Context& ctx, Type type, const MatrixView<const std::byte>& in,
               const MatrixView<const std::byte>& out, const Options& options) {
  public_call(ctx, [&] {
    const std::size_t size = size_of(type);
    require::matrix(ctx, Transpose::name, "in", in, size);
    require::matrix(ctx, Transpose::name, "out", out, size);
    require_transposed(in, out);
    const bool in_place = in.data == out.data && in.ld == out.ld && in.rows == in.cols;
    if (!in_place) require::apart(Transpose::name, "in", in, "out", out, size);
    for_case<Transpose>({type, OperatorId::none}, [&]<class C>() {
      using T = typename C::T;
      const auto* from = reinterpret_cast<const T*>(in.data);
      auto* to = reinterpret_cast<T*>(const_cast<std::byte*>(out.data));
      call<Transpose, C>(ctx, {from, in.lines(), in.line(), in.ld, to, out.ld},
                         {in.lines(), in.line(), in_place, in.ld - in.line(), out.ld - out.line()}, options);
    });
  });
}

}  // namespace tandem::detail
