// 4. Many tridiagonal systems in one call, in both layouts, and what a singular one throws.

#include <tandem/tandem.h>

#include <iostream>
#include <vector>

namespace {

constexpr int kRows = 4, kSystems = 2;

void print(const char* what, const tandem::Array<double>& x) {
  std::cout << what << ':';
  for (const double value : x.to_vector()) std::cout << ' ' << value;
  std::cout << '\n';
}

}  // namespace

int main() {
  tandem::Context ctx;
  using Array = tandem::Array<double>;
  // −x[i−1] + 4·x[i] − x[i+1] = rhs[i]. All rows are alike, so these three arrays serve both layouts.
  const Array lower(ctx, std::vector<double>(kRows * kSystems, -1)), upper(ctx, lower.to_vector());
  const Array diag(ctx, std::vector<double>(kRows * kSystems, 4));
  Array x(ctx, kRows * kSystems);

  // Contiguous: the rows of system 0, then the rows of system 1. The solutions are 1 2 3 4 and 4 3 2 1.
  const Array one_by_one(ctx, std::vector<double>{2, 4, 6, 13, 13, 6, 4, 2});
  tandem::tridiagonal(ctx, lower, diag, upper, one_by_one, x, tandem::contiguous(kRows, kSystems));
  print("contiguous", x);

  // Interleaved: row 0 of all systems, then row 1 of all. What a sweep across a grid finds in memory.
  const Array side_by_side(ctx, std::vector<double>{2, 13, 4, 6, 6, 4, 13, 2});
  tandem::tridiagonal(ctx, lower, diag, upper, side_by_side, x, tandem::interleaved(kRows, kSystems));
  print("interleaved", x);

  try {
    const Array zero(ctx, std::vector<double>{4, 4, 4, 4, 0, 4, 4, 4});
    tandem::tridiagonal(ctx, lower, zero, upper, one_by_one, x, tandem::contiguous(kRows, kSystems));
    ctx.synchronize();  // a GPU reports with the next call that waits
  } catch (const tandem::SingularSystem& error) {
    std::cout << "singular: system " << error.system << ", row " << error.row << '\n';
  }
}
