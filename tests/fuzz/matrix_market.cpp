// Fuzz target: Matrix Market files.

#include "tandem/matrix_market.h"

#include "tandem/error.h"
#include "tests/fuzz/target.h"

using namespace tandem;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::MemoryFile file;
  file.hold({reinterpret_cast<const char*>(data), size});
  try {
    const SparseElements all = read_matrix_market(file.path());
    fuzz::require(
        all.row_numbers.size() == all.values.size() && all.column_numbers.size() == all.values.size(),
        "each element has a row, a column and a value");
    fuzz::require(2 * all.values.size() <= size, "all elements are in the file");
    for (std::size_t k = 0; k < all.values.size(); ++k) {
      fuzz::require(all.row_numbers[k] >= 0 && all.row_numbers[k] < all.rows, "rows are those of the matrix");
      fuzz::require(all.column_numbers[k] >= 0 && all.column_numbers[k] < all.cols,
                    "columns are those of the matrix");
    }
  } catch (const BadFile& error) {
    fuzz::require(error.offset <= size, "the offset lies in the file");
    const std::string_view text = error.what();
    fuzz::require(text.find('\n') == text.npos, "a message is one line");
    fuzz::require(text.find("line ") != text.npos, "a message names the line");
  }
  return 0;
}

std::vector<std::string> fuzz::seeds() {
  const auto with = [](const std::string& form, const std::string& rest) {
    return "%%MatrixMarket matrix coordinate " + form + "\n" + rest;
  };
  return {with("real general", "% a comment\n3 4 3\n1 1 1.5\n\n3 4 -2e-3\n2 2 +7\n"),
          with("integer symmetric", "3 3 2\n2 1 5\r\n3\t3 -6"),
          with("pattern general", "2 9 2\n1 9\n2 3\n"),
          with("real skew-symmetric", "5 5 1\n4 2 inf\n"),
          with("Real General", "2147483647 0 0\n"),
          written([](const std::string& path) {
            write_matrix_market(path, {2, 3, {0, 1, 1}, {2, 0, 0}, {0.1, -1e300, 3}});
          })};
}
