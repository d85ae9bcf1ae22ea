#include "tandem/gemm.h"

#include <fmt/format.h>

#include "lib/core/call.h"
#include "lib/ops/gemm/check.h"
#include "lib/ops/gemm/contract.h"

namespace tandem::detail {
namespace {

void require_same(const char* what, const char* argument, std::int64_t value, const char* of,
                  std::int64_t wanted) {
  if (value == wanted) return;
  throw InvalidArgument(
      fmt::format("gemm: {} of '{}' is {}; it must be {}, the {}", what, argument, value, wanted, of));
}

}  // namespace

void check_gemm(Context& ctx, Type type, const MatrixView<const std::byte>& a,
                const MatrixView<const std::byte>& b, const MatrixView<const std::byte>& c,
                const Options& options) {
  constexpr const char* op = Gemm::name;
  const std::size_t size = size_of(type);
  require::matrix(ctx, op, "a", a, size);
  require::matrix(ctx, op, "b", b, size);
  require::matrix(ctx, op, "c", c, size);
  require_same("rows", "c", c.rows, "rows of 'a'", a.rows);
  require_same("cols", "c", c.cols, "cols of 'b'", b.cols);
  if (options.precision > Precision::tf32) {
    throw InvalidArgument(fmt::format("{}: options.precision is {}; it must be at most {}, which is tf32", op,
                                      static_cast<int>(options.precision),
                                      static_cast<int>(Precision::tf32)));
  }
  require::apart(op, "a", a, "c", c, size);
  require::apart(op, "b", b, "c", c, size);
}

void gemm(Context& ctx, Type type, const void* alpha, const MatrixView<const std::byte>& a,
          const MatrixView<const std::byte>& b, const void* beta, const MatrixView<const std::byte>& c,
          const Options& options) {
  public_call(ctx, [&] {
    check_gemm(ctx, type, a, b, c, options);
    require_same("rows", "b", b.rows, "cols of 'a'", a.cols);
    for_case<Gemm>({type, OperatorId::none}, [&]<class C>() {
      using T = typename C::T;
      using Sum = typename C::Sum;
      const auto args = C::args(*static_cast<const Sum*>(alpha), typed<const T>(a), typed<const T>(b),
                                *static_cast<const Sum*>(beta), typed<T>(c));
      call<Gemm, C>(ctx, args, C::shape(args), options);
    });
  });
}

}  // namespace tandem::detail
