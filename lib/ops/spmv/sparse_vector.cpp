#include "tandem/sparse_vector.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "lib/core/context_impl.h"
#include "lib/core/require.h"
#include "lib/ops/spmv/columns.h"
#include "lib/ops/spmv/csr_check.h"
#include "lib/ops/spmv/look_at.h"
#include "lib/ops/spmv/sparse_kernels.h"

namespace tandem::detail {

namespace {
void require_size_of_y(const char* op, std::int64_t y_size, std::int64_t x_size) {
  if (y_size != x_size)
    throw InvalidArgument(
        fmt::format("{}: size of 'y' is {}; it must be {}, that of 'x'", op, y_size, x_size));
}
}  // namespace

void check_vector(Context& ctx, std::int64_t size, const IndexList& numbers, ConstMemory values,
                  std::size_t value_bytes) {
  constexpr const char* kName = "SparseVectorView";
  public_call(ctx, [&] {
    if (size < 0) throw InvalidArgument(fmt::format("{}: size is {}; it must be at least 0", kName, size));
    require::array(ctx, kName, "numbers", numbers.numbers.data(), numbers.size,
                   size_of(numbers.numbers.type()));
    require::array(ctx, kName, "values", values.data, values.size, value_bytes);
    require::same_size(kName, numbers.size, values.size, "numbers", "values");
    with_type(numbers.numbers, [&]<class Index>(const Index* data) {
      std::vector<Index> all;
      all.reserve(static_cast<std::size_t>(numbers.size));
      look_at(ctx, View<const Index>{data, numbers.size},
              [&](std::int64_t first, const std::vector<Index>& part) {
                require_numbers<Index>(kName, "element", first, part, size);
                all.insert(all.end(), part.begin(), part.end());
              });
      std::vector<std::size_t> order(all.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::ranges::stable_sort(order, {}, [&](std::size_t k) { return all[k]; });
      const auto twice = std::ranges::adjacent_find(order, {}, [&](std::size_t k) { return all[k]; });
      if (twice != order.end()) {
        throw InvalidArgument(
            fmt::format("{}: element number {} is {}, and so is number {}; they must be distinct", kName,
                        twice[1], all[*twice], *twice));
      }
    });
  });
}

void check_dot(std::int64_t x_size, std::int64_t y_size, std::int64_t result_size) {
  require_size_of_y("dot", y_size, x_size);
  if (result_size != 1)
    throw InvalidArgument(fmt::format("dot: size of 'result' is {}; it must be 1", result_size));
}

void sparse_axpy(Context& ctx, Type type, const void* alpha, const CsrPattern& x, const void* values,
                 Memory y) {
  constexpr const char* kName = "axpy";
  public_call(ctx, [&] {
    const std::size_t size = size_of(type);
    const std::size_t number_bytes = size_of(x.columns().type());
    require::array(ctx, kName, "numbers", x.columns().data(), x.elements(), number_bytes);
    require::array(ctx, kName, "values", values, x.elements(), size);
    require::array(ctx, kName, "y", y.data, y.size, size);
    require_size_of_y(kName, y.size, x.cols());
    const auto apart = [&](const void* in, std::size_t bytes, const char* name) {
      require::overlap(kName, in, static_cast<std::size_t>(x.elements()) * bytes, y.data,
                       static_cast<std::size_t>(y.size) * size, false, name, "y");
    };
    apart(x.columns().data(), number_bytes, "numbers");
    apart(values, size, "values");
    const SparseKernels& kernels = sparse_kernels(ctx.place());
    const auto add = [&]<class T>(auto run, T factor) {
      if (x.elements() > 0 && factor != T(0))
        run(ctx, x.elements(),
            AddScaled<T>{factor, x.columns(), static_cast<const T*>(values), static_cast<T*>(y.data)});
    };
    if (type == Type::f32)
      add(kernels.add_f32, *static_cast<const float*>(alpha));
    else
      add(kernels.add_f64, *static_cast<const double*>(alpha));
  });
}

}  // namespace tandem::detail
