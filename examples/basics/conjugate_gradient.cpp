// 10. The method of conjugate gradients: a system of a sparse matrix, solved by public operations alone.

#include <tandem/tandem.h>

#include <cmath>
#include <cstdint>
#include <iostream>
#include <vector>

using Vector = tandem::Array<double>;
constexpr int kSide = 60, kRows = kSide * kSide;

/// 4 on the diagonal and −1 for each neighbour in a square grid: what heat does that flows between them.
static void add_row(int row, std::vector<std::int64_t>& offsets, std::vector<std::int32_t>& columns,
                    std::vector<double>& values) {
  const auto add = [&](bool there, int column, double value) {
    if (there) columns.push_back(column), values.push_back(value);
  };
  add(row >= kSide, row - kSide, -1);
  add(row % kSide > 0, row - 1, -1);
  add(true, row, 4);
  add(row % kSide < kSide - 1, row + 1, -1);
  add(row + kSide < kRows, row + kSide, -1);
  offsets.push_back(static_cast<std::int64_t>(columns.size()));
}

int main() {
  tandem::Context ctx;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  for (int row = 0; row < kRows; ++row) add_row(row, offsets, columns, values);
  const tandem::Array<std::int64_t> o(ctx, offsets);
  const tandem::Array<std::int32_t> c(ctx, columns);
  const Vector v(ctx, values);
  const tandem::CsrMatrix a(ctx, kRows, kRows, o, c, v);
  const std::vector<double> none(kRows);
  const Vector zeros(ctx, none), ones(ctx, std::vector<double>(kRows, 1));
  Vector x(ctx, none), residual(ctx, none), direction(ctx, none), image(ctx, none), products(ctx, none);
  const auto dot = [&](const Vector& p, const Vector& q) {
    tandem::transform(ctx, tandem::multiply_add, p, q, zeros, products);
    return tandem::reduce(ctx, products);
  };
  tandem::spmv(ctx, a, ones, residual);  // the right-hand side of which the solution is known
  ctx.copy(direction.data(), residual.data(), residual.bytes());
  double size = dot(residual, residual);
  const double wanted = 1e-20 * size;
  int steps = 0;
  for (; size > wanted && steps < kRows; ++steps) {
    tandem::spmv(ctx, a, direction, image);
    const double step = size / dot(direction, image);
    tandem::transform(ctx, tandem::axpy(step), direction, x, x);
    tandem::transform(ctx, tandem::axpy(-step), image, residual, residual);
    const double before = size;
    size = dot(residual, residual);
    tandem::transform(ctx, tandem::axpy(size / before), direction, residual, direction);
  }
  tandem::transform(ctx, tandem::axpy(-1.0), ones, x, x);
  std::cout << "steps: " << steps << "\nsolved: " << (std::sqrt(dot(x, x)) < 1e-7 ? "yes" : "no") << '\n';
}
