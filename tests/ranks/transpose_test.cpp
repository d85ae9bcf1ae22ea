// transpose over ranks beside that of one rank: every rank has the whole, and gives its rows.

#include <algorithm>
#include <cstring>

#include "tests/ranks/support.h"

TEST_SUITE_BEGIN("ranks");

namespace tandem {
namespace {

/// A matrix of a rank, with gaps between its lines that hold `gap`.
template <class T>
struct Part {
  std::vector<T> data;
  MatrixView<T> view;
  Part(std::int64_t rows, std::int64_t cols, Layout layout, T gap) {
    view = {nullptr, rows, cols, 0, layout};
    view.ld = view.line() + 3;
    data.assign(static_cast<std::size_t>(view.lines() * view.ld + 1), gap);
    view.data = data.data();
  }
  T& at(std::int64_t i, std::int64_t j) {
    return view.data[view.layout == Layout::row_major ? i * view.ld + j : i + j * view.ld];
  }
};

template <class T>
T element(std::int64_t i, std::int64_t j) {
  return static_cast<T>(static_cast<float>((i * 131 + j * 17) % 2039));
}

template <class T>
void see_transposed(std::int64_t m, std::int64_t n, const std::vector<std::int64_t>& in_rows,
                    const std::vector<std::int64_t>& out_rows, Layout of_in, Layout of_out) {
  INFO(m, " x ", n);
  const auto rank = static_cast<std::size_t>(world().rank());
  const T gap = static_cast<T>(-1.0f);
  const std::int64_t first_in = in_rows[rank], first_out = out_rows[rank];
  Part<T> in(in_rows[rank + 1] - first_in, n, of_in, gap),
      out(out_rows[rank + 1] - first_out, m, of_out, gap);
  for (std::int64_t i = 0; i < in.view.rows; ++i)
    for (std::int64_t j = 0; j < n; ++j) in.at(i, j) = element<T>(first_in + i, j);
  Part<T> expected(out.view.rows, m, of_out, gap);
  for (std::int64_t i = 0; i < out.view.rows; ++i)
    for (std::int64_t j = 0; j < m; ++j) expected.at(i, j) = element<T>(j, first_out + i);
  transpose(world(), in.view, out.view);
  CHECK(std::memcmp(out.data.data(), expected.data.data(), out.data.size() * sizeof(T)) == 0);
}

TEST_CASE_TEMPLATE("rows shared out in any way, both layouts", T, half, float, double, std::int32_t,
                   std::int64_t) {
  for (const auto& [m, n] : std::initializer_list<std::pair<std::int64_t, std::int64_t>>{
           {1, 1}, {0, 5}, {5, 0}, {7, 33}, {64, 64}, {257, 130}}) {
    const auto in = partitions(m), out = partitions(n);
    for (std::size_t p = 0; p < in.size(); ++p) {
      for (const Layout a : {Layout::row_major, Layout::column_major})
        for (const Layout b : {Layout::row_major, Layout::column_major})
          see_transposed<T>(m, n, in[p], out[(p + 1) % out.size()], a, b);
    }
  }
}

TEST_CASE("blocks in several messages") {
  const int ranks = world().size(), rank = world().rank();
  detail::RanksScope scope(world(), {RankCall::transpose});
  // Rank s sends 5 s + 3 r bytes to rank r, each of which says who and to whom.
  std::vector<std::int64_t> sent(ranks), received(ranks);
  std::vector<std::byte> from, expected;
  for (int r = 0; r < ranks; ++r) {
    sent[r] = 5 * rank + 3 * r, received[r] = 5 * r + 3 * rank;
    for (int i = 0; i < sent[r]; ++i) from.push_back(static_cast<std::byte>(64 * rank + 16 * r + i % 16));
    for (int i = 0; i < received[r]; ++i)
      expected.push_back(static_cast<std::byte>(64 * r + 16 * rank + i % 16));
  }
  for (const std::int64_t limit : {1, 7, 16, 1 << 20}) {
    std::vector<std::byte> to(expected.size());
    scope.exchange(from.data(), sent, to.data(), received, limit);
    CHECK(to == expected);
  }
}

TEST_CASE("bad transposes are refused on every rank") {
  const int last = world().size() - 1;
  const bool odd = world().rank() == last;
  std::vector<float> x(64, 1.0f), y(64, 2.0f);
  const std::int64_t cols = 2 * world().size();
  const auto in = matrix(x, 2, cols), out = matrix(y, 2, cols);
  // Rows that do not add up: everybody sees it.
  const auto more = matrix(y, odd ? 3 : 2, cols);
  const auto text = thrown<InvalidArgument>([&] { transpose(world(), in, more); });
  CHECK(contains(text, "transpose: the rows of 'out' of all ranks add up to " + std::to_string(cols + 1)));
  // One rank alone.
  const MatrixView<float> null{odd ? nullptr : y.data(), 2, cols, cols};
  expect_failed<InvalidArgument>(last, [&] { transpose(world(), in, null); });
  const auto same = odd ? in : out;
  expect_failed<InvalidArgument>(last, [&] { transpose(world(), in, same); });
  expect_failed<InvalidArgument>(last,
                                 [&] { transpose(world(), in, out, {.use = odd ? "custom/nothing" : ""}); });
  // Columns that differ.
  const auto wider = matrix(x, 2, cols + 1);
  expect_differ([&] { transpose(world(), in, out); }, [&] { transpose(world(), wider, out); },
                "transpose f32 of ");
  CHECK(std::all_of(y.begin(), y.end(), [](float v) { return v == 2; }));
  transpose(world(), in, out);  // and all goes on
  CHECK(std::all_of(y.begin(), y.begin() + 2 * cols, [](float v) { return v == 1; }));
}

}  // namespace
}  // namespace tandem

TEST_SUITE_END();
