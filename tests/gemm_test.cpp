// gemm by its public functions: right products in every layout, odd but legal ones, and bad ones, each of
// which throws InvalidArgument, names operation, argument, value and limit, and leaves C untouched.

#include <limits>

#include "tandem/tandem.h"
#include "tests/host_rows.h"
#include "tests/matrix_calls.h"

namespace tandem {

TEST_SUITE_BEGIN("gemm");

TEST_CASE("gemm agrees with the definition in every layout") {
  Context ctx = Context::host();
  for (const Layout la : kLayouts) {
    for (const Layout lb : kLayouts) {
      for (const Layout lc : kLayouts) {
        for (const std::int64_t gap : {0, 3}) {
          const Owned a(5, 7, la, gap), b(7, 4, lb, 2 * gap, 3);
          Owned c(5, 4, lc, gap, 5);
          const Owned before = c;
          gemm(ctx, 2, a.view, b.view, -1, c.view);
          for (std::int64_t i = 0; i < 5; ++i) {
            for (std::int64_t j = 0; j < 4; ++j) {
              float sum = 0;
              for (std::int64_t p = 0; p < 7; ++p) sum += at(a.view, i, p) * at(b.view, p, j);
              // `before` holds the view of c's old memory only through its own vector.
              const float old =
                  strided(MatrixView<const float>{before.memory.data(), 5, 4, c.view.ld, lc})(i, j);
              CHECK(at(c.view, i, j) == 2 * sum - old);
            }
          }
          for (std::size_t i = 0; i < c.memory.size(); ++i) {
            if (before.memory[i] == Owned::kGap) CHECK(c.memory[i] == Owned::kGap);
          }
        }
      }
    }
  }
}

TEST_CASE("beta = 0 never reads C; alpha = 0 and k = 0 never read A and B") {
  Context ctx = Context::host();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> a(6, 1), b(6, 1), nan(6, kNan), c(4, kNan);
  gemm(ctx, 1, matrix(a, 2, 3), matrix(b, 3, 2), 0, matrix(c, 2, 2));
  CHECK(c == std::vector<float>(4, 3));
  gemm(ctx, 0, matrix(nan, 2, 3), matrix(nan, 3, 2), 2, matrix(c, 2, 2));
  CHECK(c == std::vector<float>(4, 6));
  gemm(ctx, kNan, matrix(a, 2, 0), matrix(b, 0, 2), 0.5, matrix(c, 2, 2));  // k = 0
  CHECK(c == std::vector<float>(4, 3));
  gemm(ctx, 0, matrix(nan, 2, 3), matrix(nan, 3, 2), 0, matrix(c, 2, 2));
  CHECK(c == std::vector<float>(4, 0));
  gemm(ctx, 1, MatrixView<float>{nullptr, 2, 0, 0}, MatrixView<float>{nullptr, 0, 2, 2}, 1, matrix(c, 2, 2));
  CHECK(c == std::vector<float>(4, 0));
  gemm(ctx, 1, MatrixView<float>{nullptr, 0, 3, 3}, matrix(b, 3, 2), 0, MatrixView<float>{nullptr, 0, 2, 2});
}

TEST_CASE("parts of one matrix that alternate in memory are apart") {
  Context ctx = Context::host();
  std::vector<float> memory(16, 2);
  const MatrixView<float> left{memory.data(), 4, 2, 4}, right{memory.data() + 2, 4, 2, 4};
  std::vector<float> two{2, 0, 0, 2};
  gemm(ctx, 1, left, matrix(two, 2, 2), 0, right);
  CHECK(memory[2] == 4);
  CHECK(memory[0] == 2);
}

TEST_CASE("bad products") {
  Context ctx = Context::host();
  std::vector<float> x(64, 1), y(64, 1), z(64, -7);
  using M = MatrixView<float>;
  const auto row = Layout::row_major, column = Layout::column_major;
  const M a{x.data(), 3, 4, 4, row}, b{y.data(), 4, 5, 5, row}, c{z.data(), 3, 5, 5, row};
  const auto expect = [&](const M& a, const M& b, const M& c, std::initializer_list<std::string> parts) {
    expect_refused<InvalidArgument>(
        z, [&] { gemm(ctx, 1, a, b, 0, c); }, parts);
  };
  for (const Layout layout : {row, column}) {
    expect(a, {y.data(), 5, 5, 5, layout}, c, {"gemm: rows of 'b' is 5; it must be 4, the cols of 'a'"});
    expect(a, b, {z.data(), 4, 5, 5, layout}, {"gemm: rows of 'c' is 4; it must be 3, the rows of 'a'"});
    expect(a, b, {z.data(), 3, 6, 6, layout}, {"gemm: cols of 'c' is 6; it must be 5, the cols of 'b'"});
  }
  const M* all[] = {&a, &b, &c};
  const char* names[] = {"'a'", "'b'", "'c'"};
  for (int which = 0; which < 3; ++which) {
    const auto with = [&](auto change, std::initializer_list<std::string> parts) {
      M changed[] = {a, b, c};
      change(changed[which]);
      expect(changed[0], changed[1], changed[2], parts);
    };
    const std::string of = std::string(" of ") + names[which] + " is ";
    for (const std::int64_t n : {std::int64_t{-1}, INT64_MIN}) {
      with([&](M& m) { m.rows = n; }, {"gemm: rows" + of + std::to_string(n), "at least 0"});
      with([&](M& m) { m.cols = n; }, {"gemm: cols" + of + std::to_string(n), "at least 0"});
    }
    for (const std::int64_t ld : {std::int64_t{0}, std::int64_t{-4}, all[which]->cols - 1, INT64_MIN}) {
      with([&](M& m) { m.ld = ld; }, {"gemm: leading dimension" + of + std::to_string(ld),
                                      "at least " + std::to_string(all[which]->cols), "row"});
    }
    with([&](M& m) { m.layout = column, m.ld = m.rows - 1; },
         {"gemm: leading dimension" + of, "at least " + std::to_string(all[which]->rows), "column"});
    for (const std::int64_t ld : {INT64_MAX, INT64_MAX / 8})
      with([&](M& m) { m.ld = ld; },
           {std::string("gemm: ") + names[which] + " is ", std::to_string(ld), "overflow 2^63"});
    with([&](M& m) { m.data = nullptr; }, {std::string("gemm: ") + names[which] + " is null"});
    with([&](M& m) { m.data = reinterpret_cast<float*>(reinterpret_cast<std::uintptr_t>(m.data) + 2); },
         {std::string("gemm: ") + names[which] + " starts at 0x", "not a multiple of its element size 4"});
    for (const int layout : {2, 7, 255})
      with([&](M& m) { m.layout = static_cast<Layout>(layout); },
           {"gemm: layout" + of + std::to_string(layout), "row_major (0) or column_major (1)"});
  }
  // C may share nothing with A or B.
  for (const int distance : {0, 1, 4, 11}) {
    const std::string by = std::to_string(4 * distance) + " bytes after it; they must be apart";
    expect({z.data(), 3, 4, 4, row}, b, {z.data() + distance, 3, 5, 5, row},
           {"gemm: 'c' overlaps 'a' by starting " + by});
    expect(a, {z.data(), 4, 5, 5, row}, {z.data() + distance, 3, 5, 5, row},
           {"gemm: 'c' overlaps 'b' by starting " + by});
    expect({z.data() + distance + 1, 3, 4, 4, row}, b, {z.data(), 3, 5, 5, row},
           {"gemm: 'c' overlaps 'a'", "before it"});
  }
  expect({z.data() + 4, 3, 4, 9, row}, b, {z.data(), 3, 5, 9, row},
         {"gemm: 'c' overlaps 'a'"});  // one column shared
  for (const char* use : {"nothing", "custom/nothing", "transpose/custom/serial"}) {
    expect_refused<InvalidArgument>(
        z, [&] { gemm(ctx, 1, a, b, 0, c, {.use = use}); },
        {std::string("gemm: unknown implementation '") + use + "'", "known: custom/serial"});
  }
}

TEST_CASE("every host row takes the smallest matrices") {
  Context ctx = Context::host();
  for (const Implementation* i : host_rows("gemm")) {
    CAPTURE(i->name);
    try {
      std::vector<double> one{3}, two{2}, result{-7};
      gemm(ctx, 1, matrix(one, 1, 1), matrix(two, 1, 1), 0, matrix(result, 1, 1), {.use = i->name});
      CHECK(result[0] == 6);
    } catch (const Unavailable&) {  // does not take such a case, and said why
    }
  }
}

TEST_SUITE_END();

}  // namespace tandem
