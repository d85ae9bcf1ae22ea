// 3. Matrix views: leading dimension, transpose, gemm.

#include <tandem/tandem.h>

#include <cstddef>
#include <iostream>
#include <vector>

namespace {

void print(const char* what, const tandem::Array<float>& array, std::size_t cols) {
  std::cout << what << '\n';
  const std::vector<float> values = array.to_vector();
  for (std::size_t i = 0; i < values.size(); ++i) std::cout << values[i] << ((i + 1) % cols ? ' ' : '\n');
}

}  // namespace

int main() {
  tandem::Context ctx;
  // Two rows of three columns in memory with room for four: element (i, j) is at i·4 + j, and 4 is the
  // leading dimension.
  const std::vector<float> values{1, 2, 3, -1,  //
                                  4, 5, 6, -1};
  const tandem::Array<float> memory(ctx, values);
  const auto a = tandem::matrix(memory, 2, 3, tandem::Layout::row_major, 4);

  tandem::Array<float> b(ctx, 3 * 2);
  tandem::transpose(ctx, a, tandem::matrix(b, 3, 2));  // moves the elements; the gap stays behind
  print("transposed", b, 2);

  tandem::Array<float> c(ctx, 2 * 2);
  tandem::gemm(ctx, 1, a, tandem::matrix(b, 3, 2), 0, tandem::matrix(c, 2, 2));  // C = 1·A·B + 0·C
  print("A times its transpose", c, 2);

  // transposed() is another view of the same memory, so nothing is copied: C = 1·A·Aᵀ − 1·C.
  tandem::gemm(ctx, 1, a, tandem::transposed(a), -1, tandem::matrix(c, 2, 2));
  print("the same, subtracted", c, 2);
}
