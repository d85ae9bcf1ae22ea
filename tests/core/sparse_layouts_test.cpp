// Blocks, slices and single vectors of sparse matrices: what becomes of one, what it means, and what is refused.

#include "tandem/sparse_layouts.h"

#include <cmath>
#include <random>

#include "tests/core/small_matrix.h"
#include "tests/support.h"

namespace tandem {
namespace {

/// y = A·x, as each layout says where elements stand.
Values product(const SparseRows& a, const Values& x) {
  Values y(static_cast<std::size_t>(a.rows));
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (auto k = static_cast<std::size_t>(a.offsets[i]); k < static_cast<std::size_t>(a.offsets[i + 1]); ++k)
      y[i] += a.values[k] * x[static_cast<std::size_t>(a.columns[k])];
  }
  return y;
}
Values product(const SparseBlocks& a, const Values& x) {
  Values y(static_cast<std::size_t>(a.rows));
  const auto height = static_cast<std::size_t>(a.block_rows), width = static_cast<std::size_t>(a.block_cols);
  for (std::size_t i = 0; i + 1 < a.offsets.size(); ++i) {
    for (auto k = static_cast<std::size_t>(a.offsets[i]); k < static_cast<std::size_t>(a.offsets[i + 1]);
         ++k) {
      for (std::size_t r = 0; r < height && i * height + r < y.size(); ++r) {
        const std::size_t first = static_cast<std::size_t>(a.columns[k]) * width;
        for (std::size_t c = 0; c < width && first + c < x.size(); ++c)
          y[i * height + r] += a.values[(k * height + r) * width + c] * x[first + c];
      }
    }
  }
  return y;
}
Values product(const SparseSlices& a, const Values& x) {
  Values y(static_cast<std::size_t>(a.rows));
  const auto height = static_cast<std::size_t>(a.slice_rows);
  for (std::size_t p = 0; p < y.size(); ++p) {
    const std::size_t slice = p / height;
    for (auto k = static_cast<std::size_t>(a.offsets[slice]) + p % height;
         k < static_cast<std::size_t>(a.offsets[slice + 1]); k += height) {
      if (a.columns[k] >= 0)
        y[static_cast<std::size_t>(a.row_numbers[p])] +=
            a.values[k] * x[static_cast<std::size_t>(a.columns[k])];
    }
  }
  return y;
}

template <class Sparse, class Change>
Sparse with(Sparse a, Change change) {
  change(a);
  return a;
}

}  // namespace

TEST_SUITE_BEGIN("sparse_layouts");

TEST_CASE("each layout of a small matrix") {
  const SparseBlocks blocks = by_blocks(kSmall, 2, 3);
  CHECK(blocks.offsets == Offsets{0, 2, 3});
  CHECK(blocks.columns == Numbers{0, 1, 0});
  CHECK(blocks.values == Values{1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 6, 4, 8, 0, 0, 0});
  CHECK(same(by_rows(blocks), canonical(kSmall)));

  const SparseSlices slices = by_slices(kSmall, 2);
  CHECK(slices.row_numbers == Numbers{0, 1, 2});
  CHECK(slices.offsets == Offsets{0, 4, 12});
  CHECK(slices.columns == Numbers{0, -1, 3, -1, 2, -1, 1, -1, 2, -1, 0, -1});
  CHECK(slices.values == Values{1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0});
  CHECK(same(by_rows(slices), kSmall));

  const SparseSlices sorted = by_slices(kSmall, 2, 3);
  CHECK(sorted.row_numbers == Numbers{2, 0, 1});
  CHECK(sorted.offsets == Offsets{0, 8, 8});
  CHECK(sorted.columns == Numbers{2, 0, 1, 3, 2, -1, 0, -1});
  CHECK(same(by_rows(sorted), kSmall));

  const SparseVector last = sparse_row(kSmall, 2);
  CHECK(last.size == 4);
  CHECK(last.numbers == Numbers{2, 1, 2, 0});
  CHECK(last.values == Values{3, 4, 5, 6});
  CHECK(same(by_rows(last), {1, 4, {0, 4}, {2, 1, 2, 0}, {3, 4, 5, 6}}));
  CHECK(sparse_row(kSmall, 1).numbers.empty());
}

TEST_CASE("matrices with a side of 0, a stored 0 and NaN") {
  for (const SparseRows& a :
       {SparseRows{0, 0, {0}, {}, {}}, {0, 3, {0}, {}, {}}, {3, 0, Offsets(4), {}, {}}}) {
    CHECK(same(by_rows(by_blocks(a, 2, 2)), a));
    CHECK(same(by_rows(by_slices(a, 2, 2)), a));
  }
  const SparseRows odd{1, 3, {0, 3}, {0, 1, 2}, {0, std::nan(""), 1}};
  CHECK(by_rows(by_slices(odd, 4)).columns == Numbers{0, 1, 2});
  CHECK(by_rows(by_blocks(odd, 2, 2)).columns == Numbers{1, 2});
}

TEST_CASE("laws of random matrices") {
  std::mt19937_64 random(11);
  const auto below = [&](std::int64_t limit) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
  };
  for (int turn = 0; turn < 200; ++turn) {
    SparseElements all{below(12) + 1, below(12) + 1, {}, {}, {}};
    for (std::int64_t k = below(60); k > 0; --k) {
      all.row_numbers.push_back(static_cast<std::int32_t>(below(all.rows)));
      all.column_numbers.push_back(static_cast<std::int32_t>(below(all.cols)));
      all.values.push_back(static_cast<double>(below(9) + 1));
    }
    const SparseRows a = by_rows(all);
    Values x(static_cast<std::size_t>(a.cols));
    for (double& value : x) value = static_cast<double>(below(19) - 9);
    const Values y = product(a, x);
    const SparseBlocks blocks = by_blocks(a, below(5) + 1, below(5) + 1);
    CHECK(product(blocks, x) == y);
    CHECK(same(by_rows(blocks), canonical(a)));  // no value is 0, and none cancels another
    const SparseSlices slices = by_slices(a, below(5) + 1, below(14) + 1);
    CHECK(product(slices, x) == y);
    CHECK(same(by_rows(slices), a));
    const auto row = below(a.rows);
    CHECK(product(by_rows(sparse_row(a, row)), x) == Values{y[static_cast<std::size_t>(row)]});
  }
}

TEST_CASE("what is no matrix is refused") {
  const auto refused = [](auto action, const std::string& message) {
    CHECK(thrown<InvalidArgument>(action) == message);
  };
  const SparseRows falling{2, 2, {0, 2, 1}, {0}, {1}};
  refused([&] { by_blocks(falling, 2, 2); },
          "by_blocks: offset 2 is 1; it must be at least 2, which is offset 1");
  refused([&] { by_slices(falling, 2); },
          "by_slices: offset 2 is 1; it must be at least 2, which is offset 1");
  refused([&] { sparse_row(falling, 0); },
          "sparse_row: offset 2 is 1; it must be at least 2, which is offset 1");
  refused([] { by_blocks(kSmall, 0, 2); }, "by_blocks: block_rows is 0; it must be from 1 to 2147483647");
  refused([] { by_blocks(kSmall, 2, -1); }, "by_blocks: block_cols is -1; it must be from 1 to 2147483647");
  refused([] { by_slices(kSmall, INT64_MAX); },
          "by_slices: slice_rows is 9223372036854775807; it must be from 1 to 2147483647");
  refused([] { by_slices(kSmall, 1, 0); }, "by_slices: sort_rows is 0; it must be from 1 to 2147483647");
  refused([] { sparse_row(kSmall, 3); }, "sparse_row: row is 3; it must be from 0 to 2");

  const SparseBlocks blocks = by_blocks(kSmall, 2, 3);
  const auto no_blocks = [&](auto change, const std::string& part) {
    refused([&] { by_rows(with(blocks, change)); }, "by_rows: " + part);
  };
  no_blocks([](SparseBlocks& a) { a.rows = -1; }, "rows is -1; it must be from 0 to 2147483647");
  no_blocks([](SparseBlocks& a) { a.block_cols = 0; }, "block_cols is 0; it must be from 1 to 2147483647");
  no_blocks([](SparseBlocks& a) { a.rows = 5; },
            "size of 'offsets' is 3; it must be 4, one more than there are rows of blocks");
  no_blocks([](SparseBlocks& a) { a.values.pop_back(); },
            "size of 'values' is 17; it must be that of 3 blocks of 2 x 3");
  no_blocks(
      [](SparseBlocks& a) {
        a.block_rows = a.block_cols = INT32_MAX, a.offsets = {0, 3};
      },
      "size of 'values' is 18; it must be that of 3 blocks of 2147483647 x 2147483647");
  no_blocks([](SparseBlocks& a) { a.offsets[2] = 2; }, "offset 2 is 2; it must be 3, the size of 'columns'");
  no_blocks([](SparseBlocks& a) { a.columns[1] = 2; }, "column number 1 is 2; it must be from 0 to 1");

  const SparseSlices slices = by_slices(kSmall, 2);
  const auto no_slices = [&](auto change, const std::string& part) {
    refused([&] { by_rows(with(slices, change)); }, "by_rows: " + part);
  };
  no_slices([](SparseSlices& a) { a.cols = -1; }, "cols is -1; it must be from 0 to 2147483647");
  no_slices([](SparseSlices& a) { a.slice_rows = 0; }, "slice_rows is 0; it must be from 1 to 2147483647");
  no_slices([](SparseSlices& a) { a.row_numbers.pop_back(); },
            "size of 'row_numbers' is 2; it must be 3, the rows");
  no_slices([](SparseSlices& a) { a.offsets.pop_back(); },
            "size of 'offsets' is 2; it must be 3, one more than there are slices");
  no_slices([](SparseSlices& a) { a.values.pop_back(); },
            "size of 'values' is 11; it must be 12, the size of 'columns'");
  no_slices([](SparseSlices& a) { a.row_numbers[1] = 3; }, "row number 1 is 3; it must be from 0 to 2");
  no_slices([](SparseSlices& a) { a.row_numbers[1] = 0; },
            "row number 1 is 0, and so is one before it; they must be distinct");
  no_slices([](SparseSlices& a) { a.offsets[1] = 3; },
            "slice 0 has 3 elements; it must have a multiple of slice_rows, 2");
  no_slices([](SparseSlices& a) { a.offsets[2] = 10; },
            "offset 2 is 10; it must be 12, the size of 'columns'");
  no_slices([](SparseSlices& a) { a.columns[2] = 4; }, "column number 2 is 4; it must be -1 or from 0 to 3");
  no_slices([](SparseSlices& a) { a.columns[1] = -2; },
            "column number 1 is -2; it must be -1 or from 0 to 3");
  no_slices([](SparseSlices& a) { a.columns[7] = 0; },
            "column number 7 is 0; it must be -1, behind the last row");

  const SparseVector vector{4, {0, 3}, {1, 2}};
  const auto no_vector = [&](auto change, const std::string& part) {
    refused([&] { by_rows(with(vector, change)); }, "by_rows: " + part);
  };
  no_vector([](SparseVector& x) { x.size = -1; }, "size is -1; it must be from 0 to 2147483647");
  no_vector([](SparseVector& x) { x.size = 3; }, "element number 1 is 3; it must be from 0 to 2");
  no_vector([](SparseVector& x) { x.values.pop_back(); },
            "size of 'values' is 1; it must be 2, the size of 'numbers'");

  CHECK(contains(thrown<OutOfMemory>([] { by_blocks(kSmall, INT32_MAX, INT32_MAX); }),
                 "1 blocks of 2147483647 x 2147483647"));
  const SparseRows full{1, 1 << 20, {0, 1 << 20}, Numbers(1 << 20), Values(1 << 20)};
  CHECK(contains(thrown<OutOfMemory>([&] { by_slices(full, INT32_MAX); }), "slices of 2147483647 rows"));
}

TEST_SUITE_END();

}  // namespace tandem
