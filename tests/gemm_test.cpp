// gemm by its public functions: right products in every layout, odd but legal ones, and bad ones, each of
// which throws InvalidArgument, names operation, argument, value and limit, and leaves C untouched.

#include <cmath>
#include <limits>

#include "lib/harness/test_data.h"
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

TEST_CASE_TEMPLATE("elements of 16 bits are added up as floats and rounded once", T, half, bfloat16) {
  Context ctx = Context::host();
  std::vector<T> a, b, c(4, T(1.0f));
  for (int i = 1; i <= 6; ++i) a.push_back(T(float(i))), b.push_back(T(float(i % 3)));  // b = 1 2 / 0 1 / 2 0
  gemm(ctx, 2, matrix(a, 2, 3), matrix(b, 3, 2), -1, matrix(c, 2, 2));
  CHECK(std::vector<float>(c.begin(), c.end()) == std::vector<float>{13, 7, 31, 25});
  // 1,024 products of 1, which sums of 8 bits would not reach; β = 0 does not read C.
  const std::vector<T> ones(1024, T(1.0f));
  c.assign(1, T(std::numeric_limits<float>::quiet_NaN()));
  gemm(ctx, 1, matrix(ones, 1, 1024), matrix(ones, 1024, 1), 0, matrix(c, 1, 1));
  CHECK(float(c[0]) == 1024);
  gemm(ctx, 0.1f, matrix(ones, 1, 1024), matrix(ones, 1024, 1), 0, matrix(c, 1, 1));  // α is a float
  CHECK(float(c[0]) == float(T(1024 * 0.1f)));
}

TEST_CASE("products that underflow are within the promised bound") {
  Context ctx = Context::host();
  constexpr std::int64_t m = 9, n = 21, k = 100;
  constexpr double kEta = std::numeric_limits<float>::denorm_min(),
                   kU = std::numeric_limits<float>::epsilon() / 2;
  std::vector<float> a(m * k), b(k * n), c(m * n);
  for (const float size : {1e-19f, 1e-22f, 3e-23f, 1e-25f}) {
    for (std::size_t i = 0; i < a.size(); ++i)
      a[i] = size * static_cast<float>(random_bits(1, i) % 1000) / 999;
    for (std::size_t i = 0; i < b.size(); ++i)
      b[i] = size * (static_cast<float>(random_bits(2, i) % 1999) / 999 - 1);
    for (const Implementation* i : host_rows("gemm")) {
      for (const float alpha : {1.0f, 0.1f, 1000.0f}) {
        try {
          gemm(ctx, alpha, matrix(a, m, k), matrix(b, k, n), 0, matrix(c, m, n), {.use = i->name});
        } catch (const Unavailable&) {
          continue;
        }
        double worst = 0;
        for (std::int64_t row = 0; row < m; ++row) {
          for (std::int64_t col = 0; col < n; ++col) {
            double sum = 0, absolute = 0;
            for (std::int64_t p = 0; p < k; ++p) {
              const double product = double{a[row * k + p]} * b[p * n + col];
              sum += product, absolute += std::fabs(product);
            }
            const double bound =
                (k + 2) * kU / (1 - (k + 2) * kU) * alpha * absolute + (k * alpha + 2) * kEta;
            worst = std::max(worst, std::fabs(c[row * n + col] - alpha * sum) / bound);
          }
        }
        CHECK_MESSAGE(worst <= 1, i->name, ", elements of ", size, ", alpha ", alpha);
      }
    }
  }
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
  const auto expect = [&](const M& a, const M& b, const M& c, const std::vector<std::string>& parts) {
    expect_refused<InvalidArgument>(
        z, [&] { gemm(ctx, 1, a, b, 0, c); }, parts);
  };
  for (const Layout layout : {row, column}) {
    expect(a, {y.data(), 5, 5, 5, layout}, c, {"gemm: rows of 'b' is 5; it must be 4, the cols of 'a'"});
    expect(a, b, {z.data(), 4, 5, 5, layout}, {"gemm: rows of 'c' is 4; it must be 3, the rows of 'a'"});
    expect(a, b, {z.data(), 3, 6, 6, layout}, {"gemm: cols of 'c' is 6; it must be 5, the cols of 'b'"});
  }
  for_each_bad_view<3>("gemm", {a, b, c}, {"a", "b", "c"},
                       [&](const auto& m, const auto& parts) { expect(m[0], m[1], m[2], parts); });
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
  CHECK(refused_calls >= 50);
}

TEST_CASE("a precision is one of three, and means the same where there is one way to compute") {
  Context ctx = Context::host();
  std::vector<float> a(64 * 64), b(64 * 64), c(64 * 64), full(64 * 64);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(random_bits(1, i) % 1999) / 999 - 1;
    b[i] = static_cast<float>(random_bits(2, i) % 1999) / 999 - 1;
  }
  gemm(ctx, 1, matrix(a, 64, 64), matrix(b, 64, 64), 0, matrix(full, 64, 64));
  for (const Precision precision : {Precision::full, Precision::split, Precision::tf32}) {
    CHECK(parse_precision(name(precision), "precision") == precision);
    gemm(ctx, 1, matrix(a, 64, 64), matrix(b, 64, 64), 0, matrix(c, 64, 64), {.precision = precision});
    CHECK(c == full);
  }
  for (const std::string wrong : {"", "Full", "tf", "tf32 ", "bf16"}) {
    const std::string message = thrown<InvalidArgument>([&] { parse_precision(wrong, "precision"); });
    CHECK(message == "precision is '" + wrong + "'; it must be 'full', 'split' or 'tf32'");
  }
  for (const int wrong : {3, 255}) {
    expect_refused<InvalidArgument>(
        c,
        [&] {
          gemm(ctx, 1, matrix(a, 64, 64), matrix(b, 64, 64), 0, matrix(c, 64, 64),
               {.precision = static_cast<Precision>(wrong)});
        },
        {"gemm: options.precision is " + std::to_string(wrong) + "; it must be at most 2, which is tf32"});
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
