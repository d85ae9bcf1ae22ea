// 6. Functors of your own: what transform computes, the operator of a reduction, and the coefficients of tridiagonal systems.

#include <tandem/functors.cuh>

#include <cstdint>
#include <iostream>
#include <vector>

namespace {

struct Saxpby {
  float a, b;
  __device__ float operator()(float x, float y) const { return a * x + b * y; }
};

/// The greatest element and its place. Contexts of the host could call it, too: hence __host__.
struct ArgMax {
  struct Found {
    float value;
    std::int64_t place;
  };
  __host__ __device__ Found lift(float x, std::int64_t i) const { return {x, i}; }
  __host__ __device__ Found operator()(Found a, Found b) const { return b.value > a.value ? b : a; }
};

/// −x[i−1] + 4·x[i] − x[i+1] = rhs[i]: no coefficient is stored.
struct Stencil {
  const float* rhs;
  std::int64_t n;
  __device__ tandem::TridiagonalRow<float> operator()(std::int64_t system, std::int64_t row) const {
    return {-1, 4, -1, rhs[system * n + row]};
  }
};

void print(const char* what, const tandem::Array<float>& array) {
  std::cout << what << ':';
  for (const float value : array.to_vector()) std::cout << ' ' << value;
  std::cout << '\n';
}

}  // namespace

int main() try {
  tandem::Context ctx = tandem::Context::device();
  const tandem::Array<float> x(ctx, std::vector<float>{1, 2, 3, 4}),
      y(ctx, std::vector<float>{10, 20, 30, 40});
  tandem::Array<float> z(ctx, x.size());
  tandem::transform(ctx, Saxpby{2, 3}, x, y, z);
  print("2x + 3y", z);
  const ArgMax::Found greatest = tandem::reduce(ctx, z, ArgMax{});
  std::cout << "greatest: " << greatest.value << " at " << greatest.place << '\n';

  const tandem::Array<float> rhs(ctx, std::vector<float>{2, 4, 6, 13});
  tandem::tridiagonal(ctx, Stencil{rhs.data(), 4}, z, tandem::contiguous(4));
  print("solution", z);
} catch (const tandem::Unavailable& error) {
  std::cout << "skipped: " << error.what() << '\n';
  return 77;
}
