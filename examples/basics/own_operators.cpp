// 7. Operators of your own in reduce and scan: the least element and its place, mean and variance, complex numbers, matrices.

#include <tandem/tandem.h>

#include <complex>
#include <cstdint>
#include <functional>
#include <iostream>
#include <vector>

namespace {

/// The least element and its place; of equal ones the first. An accumulator is made of an element by lift.
struct ArgMin {
  struct Found {
    float value;
    std::int64_t place;
  };
  Found lift(float x, std::int64_t i) const { return {x, i}; }
  Found operator()(Found a, Found b) const { return b.value < a.value ? b : a; }
};

/// Number, mean, and sum of squared differences from the mean, by the rule of Chan, Golub and LeVeque for two parts.
struct Welford {
  struct Moments {
    double n, mean, m2;
    double variance() const { return m2 / (n - 1); }
  };
  Moments lift(float x) const { return {1, x, 0}; }
  Moments operator()(Moments a, Moments b) const {
    const double n = a.n + b.n, delta = b.mean - a.mean;
    return {n, a.mean + delta * b.n / n, a.m2 + b.m2 + delta * delta * a.n * b.n / n};
  }
};

/// 2×2 matrices: the product is associative, but does not commute.
struct Matrix {
  std::int64_t a, b, c, d;
};
struct Product {
  Matrix identity() const { return {1, 0, 0, 1}; }
  Matrix operator()(Matrix x, Matrix y) const {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
  }
};

}  // namespace

int main() {
  tandem::Context ctx = tandem::Context::host();  // <tandem/functors.cuh> takes such operators to the GPU
  const std::vector<float> x{3, 1, 4, 1, 5, 9, 2, 6};

  const ArgMin::Found least = tandem::reduce(ctx, x, ArgMin{});
  const auto greatest = tandem::reduce(ctx, x, [](float a, float b) { return a < b ? b : a; });
  std::cout << "least " << least.value << " at " << least.place << ", greatest " << greatest << '\n';

  const Welford::Moments moments = tandem::reduce(ctx, x, Welford{});
  std::cout << "mean " << moments.mean << ", variance " << moments.variance() << '\n';

  const std::vector<std::complex<float>> turns(4, {0, 1});
  std::vector<std::complex<float>> powers(turns.size());
  tandem::inclusive_scan(ctx, turns, powers, std::multiplies<>{});
  std::cout << "powers of i:";
  for (const std::complex<float>& power : powers) std::cout << ' ' << power;

  const std::vector<Matrix> steps(8, {1, 1, 1, 0});
  std::vector<Matrix> fibonacci(steps.size());
  tandem::exclusive_scan(ctx, steps, fibonacci, Product{});
  std::cout << "\nFibonacci:";
  for (const Matrix& matrix : fibonacci) std::cout << ' ' << matrix.a;
  std::cout << '\n';
}
