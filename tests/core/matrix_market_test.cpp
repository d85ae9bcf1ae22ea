// Matrix Market files: read and written as the format says, and refused with the line where they are wrong.

#include "tandem/matrix_market.h"

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

#include "tests/support.h"

namespace tandem {
namespace {

using Numbers = std::vector<std::int32_t>;

struct Files {
  TemporaryDirectory folder;
  std::string path = folder / "a.mtx";

  SparseElements read(const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
    return read_matrix_market(path);
  }
  SparseElements read(const std::string& form, const std::string& rest) {
    return read("%%MatrixMarket matrix coordinate " + form + "\n" + rest);
  }
};

}  // namespace

TEST_SUITE_BEGIN("matrix_market");

TEST_CASE("forms that are read") {
  Files files;
  const SparseElements general =
      files.read("real general", "% a comment\n%\n\n 3 4\t3\r\n1 1 1.5\n\n% another\n3 4 -2e-3\n2 2 +7");
  CHECK(general.rows == 3);
  CHECK(general.cols == 4);
  CHECK(general.row_numbers == Numbers{0, 2, 1});
  CHECK(general.column_numbers == Numbers{0, 3, 1});
  CHECK(general.values == std::vector<double>{1.5, -2e-3, 7});
  const SparseElements symmetric = files.read("Integer SYMMETRIC", "3 3 2\n2 1 5\n3 3 -6\n");
  CHECK(symmetric.row_numbers == Numbers{1, 0, 2});
  CHECK(symmetric.column_numbers == Numbers{0, 1, 2});
  CHECK(symmetric.values == std::vector<double>{5, 5, -6});
  const SparseElements skew = files.read("real skew-symmetric", "3 3 1\n3 1 2\n");
  CHECK(skew.row_numbers == Numbers{2, 0});
  CHECK(skew.values == std::vector<double>{2, -2});
  CHECK(files.read("pattern general", "1 9 2\n1 9\n1 2\n").values == std::vector<double>{1, 1});
  const SparseElements empty = files.read("real general", "2147483647 0 0");
  CHECK(empty.rows == 2147483647);
  CHECK(empty.values.empty());
}

TEST_CASE("what is written is read again, bit for bit") {
  Files files;
  const double infinity = std::numeric_limits<double>::infinity();
  const SparseElements all{5,
                           7,
                           {4, 0, 0, 2, 2, 1},
                           {6, 0, 0, 3, 1, 5},
                           {0.1, -0.0, 5e-324, 1.7976931348623157e308, 1.0 / 3, -infinity}};
  write_matrix_market(files.path, all);
  const SparseElements again = read_matrix_market(files.path);
  CHECK(again.rows == all.rows);
  CHECK(again.cols == all.cols);
  CHECK(again.row_numbers == all.row_numbers);
  CHECK(again.column_numbers == all.column_numbers);
  CHECK(again.values == all.values);
  CHECK(std::signbit(again.values[1]));
  write_matrix_market(files.path, {});
  CHECK(read_matrix_market(files.path).rows == 0);
}

TEST_CASE("row by row") {
  const SparseRows a = by_rows({4, 3, {3, 0, 3, 1, 3}, {2, 1, 0, 1, 2}, {1, 2, 3, 4, 5}});
  CHECK(a.rows == 4);
  CHECK(a.cols == 3);
  CHECK(a.offsets == std::vector<std::int64_t>{0, 1, 2, 2, 5});
  CHECK(a.columns == Numbers{1, 1, 2, 0, 2});
  CHECK(a.values == std::vector<double>{2, 4, 1, 3, 5});
  CHECK(by_rows({}).offsets == std::vector<std::int64_t>{0});
}

TEST_CASE("files that are refused") {
  Files files;
  const auto bad = [&](const std::string& text, const std::string& part) {
    const std::string message = thrown<BadFile>([&] { files.read(text); });
    CHECK_MESSAGE(contains(message, part), "'", message, "' does not say '", part, "'");
  };
  const auto bad_form = [&](const std::string& form, const std::string& part) {
    bad("%%MatrixMarket " + form + "\n2 2 1\n1 1 1\n", "line 1: " + part);
  };
  const auto bad_rest = [&](const std::string& rest, const std::string& part,
                            const std::string& form = "real general") {
    bad("%%MatrixMarket matrix coordinate " + form + "\n" + rest, part);
  };
  bad("", "line 1: a Matrix Market file begins with %%MatrixMarket");
  bad("\n%%MatrixMarket matrix coordinate real general\n", "line 1: a Matrix Market file begins with");
  bad("%MatrixMarket matrix coordinate real general\n", "line 1: a Matrix Market file begins with");
  bad_form("matrix coordinate real", "has 4 words; the first line has 5");
  bad_form("matrix coordinate real general more words", "has more words; the first line has 5");
  bad_form("vector coordinate real general", "is 'vector'; it must be 'matrix coordinate', then real,");
  bad_form("matrix array real general", "is 'array'; it must be 'matrix coordinate'");
  bad_form("matrix coordinate complex general", "is 'complex'; it must be");
  bad_form("matrix coordinate real hermitian", "is 'hermitian'; it must be");
  bad_form("matrix coordinate r\x01\xff general", "is 'r");
  bad_rest("", "line 1: the numbers of rows, columns and elements are missing");
  bad_rest("% nothing\n", "line 2: the numbers of rows, columns and elements are missing");
  bad_rest("3 3\n", "line 2: has 2 words; the line of sizes has 3");
  bad_rest("-1 3 0\n", "line 2: rows is '-1'; it must be from 0 to 2147483647");
  bad_rest("3 2147483648 0\n", "line 2: columns is '2147483648'; it must be from 0 to 2147483647");
  bad_rest("3 3 x\n", "line 2: elements is 'x'; it must be from 0 to 9223372036854775807");
  bad_rest("3 3 1.0\n", "line 2: elements is '1.0'");
  bad_rest("3 3 99999999999999999999\n", "line 2: elements is '99999999999999999999'");
  bad_rest("3 3 1000000\n1 1 1\n",
           "line 2: elements is 1000000; behind this line there is no room for more than 1");
  bad_rest("3 4 1\n2 1 1\n", "line 2: columns is 4; a symmetric matrix has as many as rows, 3",
           "real symmetric");
  bad_rest("3 3 2\n1 1 1.25\n\n% end\n", "line 5: the file ends behind 1 of 2 elements");
  bad_rest("3 3 1\n1 1 1\n2 2 2\n", "line 4: there are more elements than 1");
  bad_rest("3 3 1\n1 1 \n", "line 3: has 2 words; an element has 3");
  bad_rest("3 3 1\n1 1 1\n", "line 3: has 3 words; an element has 2", "pattern general");
  bad_rest("3 3 1\n0 1 1\n", "line 3: row is '0'; it must be from 1 to 3");
  bad_rest("3 3 1\n4 1 1\n", "line 3: row is '4'; it must be from 1 to 3");
  bad_rest("3 3 1\n1 4 1\n", "line 3: column is '4'; it must be from 1 to 3");
  bad_rest("3 3 1\n1 1 1,5\n", "line 3: '1,5' is no number that a double holds");
  bad_rest("3 3 1\n1 1 1e999\n", "line 3: '1e999' is no number that a double holds");
  bad_rest("3 3 1\n1 2 1\n", "line 3: column is 2, row 1; of a symmetric matrix elements on and below",
           "real symmetric");
  bad_rest("3 3 1\n2 2 1\n",
           "line 3: column is 2, row 2; of a skew-symmetric matrix elements below the diagonal",
           "real skew-symmetric");
  CHECK(contains(thrown<BadFile>([&] { read_matrix_market(files.folder / "nothing.mtx"); }), "nothing.mtx"));
}

TEST_CASE("elements that are refused") {
  Files files;
  const auto bad = [&](const SparseElements& all, const std::string& part) {
    CHECK(contains(thrown<InvalidArgument>([&] { by_rows(all); }), "by_rows: " + part));
    CHECK(contains(thrown<InvalidArgument>([&] { write_matrix_market(files.path, all); }),
                   "write_matrix_market: " + part));
  };
  bad({-1, 3, {}, {}, {}}, "rows is -1; it must be from 0 to 2147483647");
  bad({3, std::int64_t{1} << 31, {}, {}, {}}, "cols is 2147483648; it must be from 0 to 2147483647");
  bad({3, 3, {0}, {0, 1}, {1}}, "1 row numbers, 2 column numbers and 1 values; they must be as many");
  bad({3, 3, {0, 3}, {0, 1}, {1, 1}}, "element 1 is in row 3 and column 1; the matrix is 3 x 3");
  bad({3, 3, {0, 1}, {-1, 1}, {1, 1}}, "element 0 is in row 0 and column -1; the matrix is 3 x 3");
  CHECK(files.folder.count() == 0);
}

TEST_SUITE_END();

}  // namespace tandem
