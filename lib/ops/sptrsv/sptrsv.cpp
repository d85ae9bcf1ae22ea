#include "tandem/sptrsv.h"

#include <fmt/format.h>

#include <atomic>
#include <limits>

#include "lib/core/call.h"
#include "lib/core/pivot_status.h"
#include "lib/ops/sptrsv/contract.h"
#include "lib/ops/sptrsv/levels.h"

namespace tandem::detail {
namespace {

/// An array of the context, on the host.
template <class T>
std::vector<T> fetched(Context& ctx, const T* data, std::int64_t size) {
  std::vector<T> values(static_cast<std::size_t>(size));
  ctx.copy(values.data(), data, values.size() * sizeof(T));
  ctx.synchronize();
  return values;
}

void require_pattern(Context& ctx, const char* op, const CsrPattern& a) {
  require::array(ctx, op, "offsets", a.offsets(), a.rows() + 1, sizeof(std::int64_t));
  require::array(ctx, op, "columns", a.columns().data(), a.elements(), size_of(a.columns().type()));
}

}  // namespace

SptrsvAnalysis analyse_triangular(Context& ctx, const CsrPattern& a, TriangularForm form) {
  return public_call(ctx, [&] {
    constexpr const char* op = "analyse_triangular";
    constexpr std::int64_t kMostRows = std::numeric_limits<std::int32_t>::max();
    if (a.rows() != a.cols()) {
      throw InvalidArgument(
          fmt::format("{}: cols is {}; it must be {}, as there are rows", op, a.cols(), a.rows()));
    }
    if (a.rows() > kMostRows)
      throw InvalidArgument(fmt::format("{}: rows is {}; it must be at most {}", op, a.rows(), kMostRows));
    if (form.triangle > Triangle::upper || form.diagonal > Diagonal::unit)
      throw InvalidArgument(fmt::format("{}: the form is none of Triangle and Diagonal", op));
    require_pattern(ctx, op, a);
    Levels levels = with_type(a.columns(), [&]<class Column>(const Column* columns) {
      return levels_of<Column>(fetched(ctx, a.offsets(), a.rows() + 1), fetched(ctx, columns, a.elements()),
                               form.triangle);
    });
    if (form.diagonal == Diagonal::stored && levels.no_diagonal >= 0) {
      throw SingularSystem(fmt::format("{}: row {} has no element on the diagonal: the matrix is singular",
                                       op, levels.no_diagonal),
                           0, levels.no_diagonal);
    }
    static std::atomic<std::uint64_t> analyses = 0;
    Array<std::int64_t> kernels_begins(ctx, levels.begins);
    Array<std::int32_t> order(ctx, levels.order);
    return SptrsvAnalysis{
        form, ++analyses, levels.tidy, std::move(levels.begins), std::move(kernels_begins), std::move(order)};
  });
}

void sptrsv(Context& ctx, Type type, const CsrPattern& a, const void* values, const SptrsvAnalysis& kept,
            const void* alpha, ConstMemory b, Memory x, const Options& options) {
  public_call(ctx, [&] {
    constexpr const char* op = Sptrsv::name;
    const std::size_t size = size_of(type);
    require_pattern(ctx, op, a);
    require::array(ctx, op, "values", values, a.elements(), size);
    require::array(ctx, op, "b", b.data, b.size, size);
    require::array(ctx, op, "x", x.data, x.size, size);
    for (const auto& [name, got] : {std::pair{"b", b.size}, {"x", x.size}}) {
      if (got != a.rows()) {
        throw InvalidArgument(fmt::format("{}: size of '{}' is {}; it must be {}, the rows of the matrix", op,
                                          name, got, a.rows()));
      }
    }
    const auto apart = [&](const void* in, std::int64_t elements, std::size_t bytes, bool same_allowed,
                           const char* in_name) {
      require::overlap(op, in, static_cast<std::size_t>(elements) * bytes, x.data,
                       static_cast<std::size_t>(x.size) * size, same_allowed, in_name, "x");
    };
    apart(a.offsets(), a.rows() + 1, sizeof(std::int64_t), false, "offsets");
    apart(a.columns().data(), a.elements(), size_of(a.columns().type()), false, "columns");
    apart(values, a.elements(), size, false, "values");
    apart(b.data, b.size, size, true, "b");
    std::uint64_t* const status =
        pivot_status(ctx, "sptrsv status", [](std::int64_t system, std::int64_t row) {
          return SingularSystem(
              fmt::format("sptrsv: the diagonal of row {} is zero, denormal or NaN: the matrix is singular",
                          row),
              system, row);
        });
    for_case<Sptrsv>({type, OperatorId::none}, [&]<class C>() {
      using T = typename C::T;
      const T factor = *static_cast<const T*>(alpha);
      T* const out = static_cast<T*>(x.data);
      // On the CPU x is written once all rows are solved, and none had a diagonal that cannot be divided by.
      const bool apart =
          ctx.place() != Place::device && kept.form.diagonal == Diagonal::stored && factor != 0 && x.size > 0;
      T* const solved = apart ? ctx.state<T>("sptrsv x", x.size) : out;
      const Sptrsv::Shape shape{.rows = a.rows(),
                                .elements = a.elements(),
                                .levels = static_cast<std::int64_t>(kept.begins.size()) - 1,
                                .tidy = kept.tidy,
                                .in_place = b.data == solved};
      call<Sptrsv, C>(ctx,
                      C::args(a, static_cast<const T*>(values), kept, factor, static_cast<const T*>(b.data),
                              solved, status),
                      shape, options);
      if (apart) {
        ctx.synchronize();  // throws
        ctx.copy(out, solved, static_cast<std::size_t>(x.size) * size);
      }
    });
  });
}

}  // namespace tandem::detail
