#include "tandem/spmm.h"

#include <fmt/format.h>

#include "lib/core/call.h"
#include "lib/ops/gemm/check.h"
#include "lib/ops/spmm/contract.h"

namespace tandem::detail {
namespace {

using Bytes = MatrixView<const std::byte>;

void check_spmm(Context& ctx, std::size_t size, const CsrPattern& a, const void* values, const Bytes& b,
                const Bytes& c) {
  constexpr const char* op = Spmm::name;
  require::matrix(ctx, op, "b", b, size);
  require::matrix(ctx, op, "c", c, size);
  for (const auto& [what, name, got, wanted, of] :
       {std::tuple{"rows", "b", b.rows, a.cols(), "cols of the sparse matrix"},
        {"rows", "c", c.rows, a.rows(), "rows of the sparse matrix"},
        {"cols", "c", c.cols, b.cols, "cols of 'b'"}}) {
    if (got != wanted) {
      throw InvalidArgument(
          fmt::format("{}: {} of '{}' is {}; it must be {}, the {}", op, what, name, got, wanted, of));
    }
  }
  const std::int64_t c_bytes =
      storage_size(c.lines(), c.line(), c.ld, size) * static_cast<std::int64_t>(size);
  const auto array = [&](const char* name, const void* data, std::int64_t elements, std::size_t bytes) {
    require::array(ctx, op, name, data, elements, bytes);
    require::overlap(op, data, static_cast<std::size_t>(elements) * bytes, c.data,
                     static_cast<std::size_t>(c_bytes), false, name, "c");
  };
  array("offsets", a.offsets(), a.rows() + 1, sizeof(std::int64_t));
  array("columns", a.columns().data(), a.elements(), size_of(a.columns().type()));
  array("values", values, a.elements(), size);
  require::apart(op, "b", b, "c", c, size);
}

}  // namespace

void spmm(Context& ctx, Type type, const CsrPattern& a, const void* values, const void* alpha, const Bytes& b,
          const void* beta, const Bytes& c, const Options& options) {
  public_call(ctx, [&] {
    check_spmm(ctx, size_of(type), a, values, b, c);
    for_case<Spmm>({type, OperatorId::none}, [&]<class C>() {
      using T = typename C::T;
      const Spmm::Shape shape{
          a.rows(),       a.cols(), a.elements(), a.longest() < 0 ? a.elements() : a.longest(),
          b.cols,         b.layout, c.layout,     b.ld - b.line(),
          c.ld - c.line()};
      call<Spmm, C>(ctx,
                    C::args(shape, a.offsets(), a.columns(), static_cast<const T*>(values), typed<const T>(b),
                            typed<T>(c), *static_cast<const T*>(alpha), *static_cast<const T*>(beta)),
                    shape, options);
    });
  });
}

}  // namespace tandem::detail
