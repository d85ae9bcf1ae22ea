// Views of matrices: where their elements are, and how many elements they need.

#include <vector>

#include "tandem/tandem.h"
#include "tests/matrix_calls.h"

namespace tandem {

TEST_SUITE_BEGIN("matrix");

TEST_CASE("a view says where its elements are") {
  std::vector<float> x(20);
  const auto a = matrix(x, 3, 4);
  CHECK(a.ld == 4);
  CHECK(&at(a, 2, 1) == &x[9]);
  const auto b = matrix(x, 3, 4, Layout::column_major, 5);
  CHECK(&at(b, 2, 1) == &x[7]);
  const auto t = transposed(b);
  CHECK(t.rows == 4);
  CHECK(t.layout == Layout::row_major);
  CHECK(&at(t, 1, 2) == &x[7]);
  CHECK(matrix(x, 2, 3, Layout::row_major, 17).ld == 17);  // the last line needs no gap
  CHECK(contains(thrown<InvalidArgument>([&] { matrix(x, 2, 4, Layout::row_major, 17); }),
                 "20 elements are too few for 2 x 4 with leading dimension 17"));
  CHECK(contains(thrown<InvalidArgument>([&] { matrix(x, 3, 7); }), "20 elements are too few"));
  CHECK(contains(thrown<InvalidArgument>([&] { matrix(x, INT64_MAX, INT64_MAX); }), "too few"));
}

TEST_SUITE_END();

}  // namespace tandem
