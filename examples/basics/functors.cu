// 6. Functors of your own: what transform computes, and the coefficients of tridiagonal systems.

#include <tandem/functors.cuh>

#include <cstdint>
#include <iostream>
#include <vector>

namespace {

struct Saxpby {
  float a, b;
  __device__ float operator()(float x, float y) const { return a * x + b * y; }
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

  const tandem::Array<float> rhs(ctx, std::vector<float>{2, 4, 6, 13});
  tandem::tridiagonal(ctx, Stencil{rhs.data(), 4}, z, tandem::contiguous(4, 1));
  print("solution", z);
} catch (const tandem::Unavailable& error) {
  std::cout << "skipped: " << error.what() << '\n';
  return 77;
}
