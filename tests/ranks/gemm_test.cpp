// gemm over ranks beside that of one rank: every rank has the whole matrices, and gives its rows.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "tests/ranks/support.h"

TEST_SUITE_BEGIN("ranks");

namespace tandem {
namespace {

using Begins = std::vector<std::int64_t>;
constexpr Layout kRow = Layout::row_major, kColumn = Layout::column_major;

/// A matrix with gaps between its lines.
template <class T>
struct Whole {
  static constexpr T kGap = -77;
  std::vector<T> data;
  MatrixView<T> view;
  Whole(const Whole& other) : data(other.data), view(other.view) { view.data = data.data(); }
  template <class Element>
  Whole(std::int64_t rows, std::int64_t cols, Layout layout, std::int64_t gap, const Element& element) {
    view = {nullptr, rows, cols, 0, layout};
    view.ld = view.line() + gap;
    data.assign(static_cast<std::size_t>(view.lines() * view.ld + 1), kGap);
    view.data = data.data();
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < cols; ++j) at(i, j) = element(i, j);
  }
  T& at(std::int64_t i, std::int64_t j) {
    return view.data[view.layout == kRow ? i * view.ld + j : i + j * view.ld];
  }
  /// The rows of this rank.
  MatrixView<T> part(const Begins& begins) {
    const auto rank = static_cast<std::size_t>(world().rank());
    return {&at(begins[rank], 0), begins[rank + 1] - begins[rank], view.cols, view.ld, view.layout};
  }
};

/// Small whole numbers: sums of their products are exact in any order.
template <class T>
Whole<T> small(std::int64_t rows, std::int64_t cols, Layout layout, std::int64_t gap, int seed) {
  return {rows, cols, layout, gap,
          [&](std::int64_t i, std::int64_t j) { return static_cast<T>((i * 7 + j * 3 + seed) % 11 - 5); }};
}
/// Numbers whose sums round.
template <class T>
Whole<T> rough(std::int64_t rows, std::int64_t cols, Layout layout, std::int64_t gap, unsigned seed) {
  std::mt19937_64 random(seed);
  return {rows, cols, layout, gap, [&](std::int64_t, std::int64_t) {
            return static_cast<T>(static_cast<double>(random() >> 11) * 0x1p-52 - 1);
          }};
}

/// Whether this rank's rows of both have the same bits.
template <class T>
bool same_rows(Whole<T>& x, Whole<T>& y, const Begins& begins) {
  for (std::int64_t i = begins[world().rank()]; i < begins[world().rank() + 1]; ++i) {
    for (std::int64_t j = 0; j < x.view.cols; ++j)
      if (std::memcmp(&x.at(i, j), &y.at(i, j), sizeof(T)) != 0) return false;
  }
  return true;
}

/// gemm over ranks with panels of at most so many bytes.
template <class T>
void gemm_in_pieces(T alpha, const MatrixView<T>& a, const MatrixView<T>& b, T beta, const MatrixView<T>& c,
                    const Options& options, std::int64_t bytes) {
  detail::gemm(world(), type_of<T>, &alpha, detail::untyped(a), detail::untyped(b), &beta, detail::untyped(c),
               options, bytes);
}

TEST_CASE_TEMPLATE("products are those of one rank, however rows are shared out", T, float, double) {
  struct Size {
    std::int64_t m, n, k;
  };
  for (const Size& size : {Size{1, 1, 1},
                           {5, 7, 3},
                           {0, 4, 3},
                           {4, 0, 3},
                           {4, 3, 0},
                           {33, 20, 800},
                           {3, 70, 385},
                           {64, 5, 384}}) {
    const std::int64_t m = size.m, n = size.n, k = size.k;
    INFO(m, " x ", n, " x ", k);
    const auto of_a = partitions(m), of_b = partitions(k);
    for (int layouts = 0; layouts < 8; ++layouts) {
      const auto layout = [&](int bit) { return layouts >> bit & 1 ? kColumn : kRow; };
      auto a = small<T>(m, k, layout(0), 0, 1), b = small<T>(k, n, layout(1), 2, 2),
           before = small<T>(m, n, layout(2), 1, 3);
      auto expected = before;
      gemm(context(), 2, a.view, b.view, -1, expected.view);
      for (std::size_t p = 0; p < of_a.size(); ++p) {
        const Begins &rows = of_a[p], &inner = of_b[(p + 1) % of_b.size()];
        for (const std::int64_t bytes :
             {std::int64_t{1} << 26, std::int64_t{384 * 3 * sizeof(T)}, std::int64_t{1}}) {
          for (const Bits bits : {Bits::own, Bits::portable}) {
            auto c = before;
            gemm_in_pieces<T>(2, a.part(rows), b.part(inner), -1, c.part(rows), {.bits = bits}, bytes);
            CHECK(same_rows(c, expected, rows));
            // Other rows, and gaps, stay.
            for (std::int64_t i = rows[world().rank()]; i < rows[world().rank() + 1]; ++i)
              for (std::int64_t j = 0; j < n; ++j) c.at(i, j) = before.at(i, j);
            CHECK(c.data == before.data);
          }
        }
      }
    }
  }
}

TEST_CASE("beta = 0 does not read C; alpha = 0 and k = 0 read neither A nor B") {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const std::int64_t ranks = world().size(), k = 400 * ranks;
  std::vector<double> ones(static_cast<std::size_t>(1200 * ranks), 1), nan(ones.size(), kNan), c(6, kNan);
  const auto a = matrix(ones, 2, k), b = matrix(ones, 400, 3), bad_a = matrix(nan, 2, k),
             bad_b = matrix(nan, 400, 3);
  const auto out = matrix(c, 2, 3);
  for (const Bits bits : {Bits::own, Bits::portable}) {
    const auto all = [&](double x) {
      return std::all_of(c.begin(), c.end(), [&](double y) { return x == y; });
    };
    std::fill(c.begin(), c.end(), kNan);
    gemm(world(), 1, a, b, 0, out, {.bits = bits});
    CHECK(all(static_cast<double>(k)));
    gemm(world(), 0, bad_a, bad_b, 2, out, {.bits = bits});
    CHECK(all(2.0 * static_cast<double>(k)));
    gemm(world(), 1, a, b, 1, out, {.bits = bits});  // beta counts once
    CHECK(all(3.0 * static_cast<double>(k)));
    const MatrixView<double> none_a{nullptr, 2, 0, 0}, none_b{nullptr, 0, 3, 3};
    gemm(world(), kNan, none_a, none_b, 0.5, out, {.bits = bits});
    CHECK(all(1.5 * static_cast<double>(k)));
    // Of one rank alone: the others get its rows of B.
    const bool last = world().rank() == ranks - 1;
    gemm(world(), last ? 0 : 1, last ? bad_a : a, b, 0, out, {.bits = bits});
    CHECK(all(last ? 0.0 : static_cast<double>(k)));
    gemm(world(), 0, bad_a, bad_b, 0, out, {.bits = bits});
    CHECK(all(0));
  }
}

/// The bits that are promised: in each panel of 384 products their sum in ascending order.
template <class T>
void in_order(T alpha, Whole<T>& a, Whole<T>& b, T beta, Whole<T>& c) {
  for (std::int64_t i = 0; i < c.view.rows; ++i) {
    for (std::int64_t j = 0; j < c.view.cols; ++j) {
      for (std::int64_t from = 0; from < a.view.cols; from += 384) {
        T sum = 0;
        for (std::int64_t p = from; p < std::min<std::int64_t>(from + 384, a.view.cols); ++p)
          sum += a.at(i, p) * b.at(p, j);
        c.at(i, j) = from > 0 ? alpha * sum + c.at(i, j) : alpha * sum + beta * c.at(i, j);
      }
    }
  }
}

TEST_CASE_TEMPLATE("portable products have the same bits on any number of ranks", T, float, double) {
  const std::int64_t m = 67, n = 45, k = 1000;
  const T alpha = static_cast<T>(0.7), beta = static_cast<T>(-1.3);
  Communicator alone = world().split(world().rank());
  for (int layouts = 0; layouts < 8; ++layouts) {
    const auto layout = [&](int bit) { return layouts >> bit & 1 ? kColumn : kRow; };
    auto a = rough<T>(m, k, layout(0), 1, 1), b = rough<T>(k, n, layout(1), 0, 2);
    const auto copy_of_c = [&] { return rough<T>(m, n, layout(2), 2, 3); };
    auto portable_bits = copy_of_c(), simd_bits = copy_of_c(), one = copy_of_c();
    in_order(alpha, a, b, beta, portable_bits);
    gemm(context(), alpha, a.view, b.view, beta, simd_bits.view, {.use = "custom/simd"});
    gemm(alone, alpha, a.view, b.view, beta, one.view, {.bits = portable});
    const Begins whole(static_cast<std::size_t>(world().size()) + 1, 0);
    CHECK(std::memcmp(one.data.data(), portable_bits.data.data(), one.data.size() * sizeof(T)) == 0);
    const auto of_a = partitions(m), of_b = partitions(k);
    for (const Begins& rows : of_a) {
      for (const Begins& inner : of_b) {
        for (const std::int64_t bytes : {1 << 26, 384 * 100}) {
          auto c = copy_of_c();
          gemm_in_pieces<T>(alpha, a.part(rows), b.part(inner), beta, c.part(rows), {.bits = portable},
                            bytes);
          CHECK(same_rows(c, portable_bits, rows));
          auto by_simd = copy_of_c();
          gemm_in_pieces<T>(alpha, a.part(rows), b.part(inner), beta, by_simd.part(rows),
                            {.use = "custom/simd"}, bytes);
          CHECK(same_rows(by_simd, simd_bits, rows));
        }
      }
    }
  }
}

TEST_CASE("products are within the promised bound") {
  const std::int64_t m = 20, n = 30, k = 3000, panels = 8;
  constexpr double kU = std::numeric_limits<float>::epsilon() / 2;
  auto a = rough<float>(m, k, kRow, 0, 1), b = rough<float>(k, n, kRow, 0, 2),
       before = rough<float>(m, n, kRow, 0, 3);
  for (auto& x : before.data) x *= 1e4f;
  const Begins rows = partitions(m)[1], inner = partitions(k)[1];
  const auto gamma = [&](double count) { return count * kU / (1 - count * kU); };
  for (const Bits bits : {Bits::own, Bits::portable}) {
    auto c = before;
    gemm(world(), 3, a.part(rows), b.part(inner), 0.3f, c.part(rows), {.bits = bits});
    double worst = 0;
    for (std::int64_t i = rows[world().rank()]; i < rows[world().rank() + 1]; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        double sum = 0, absolute = 0;
        for (std::int64_t p = 0; p < k; ++p) {
          const double product = double{a.at(i, p)} * b.at(p, j);
          sum += product, absolute += std::fabs(product);
        }
        const double old = double{0.3f} * before.at(i, j);
        worst = std::max(worst,
                         std::fabs(c.at(i, j) - (3 * sum + old)) /
                             (gamma(k + 2 + 4 * panels) * 3 * absolute + gamma(4 * panels) * std::fabs(old)));
      }
    }
    CHECK(worst <= 1);
  }
}

TEST_CASE("bad products are refused on every rank") {
  const int ranks = world().size(), last = ranks - 1;
  const bool odd = world().rank() == last;
  const std::int64_t k = 3 * ranks;
  std::vector<float> x(static_cast<std::size_t>(2 * k), 1), y(16, 1), z(16, -7);
  const auto a = matrix(x, 2, k), b = matrix(y, 3, 4), c = matrix(z, 2, 4);
  // Rows of B that are too many, or too few: everybody sees it.
  const auto expect_rows = [&](std::int64_t rows, std::int64_t sum) {
    const auto text = thrown<InvalidArgument>([&] { gemm(world(), 1, a, matrix(y, rows, 4), 0, c); });
    CHECK(text == "gemm: the rows of 'b' of all ranks add up to " + std::to_string(sum) + "; they must be " +
                      std::to_string(k) + ", the cols of 'a'");
  };
  expect_rows(odd ? 4 : 3, k + 1);
  expect_rows(odd ? 0 : 3, k - 3);
  // One rank alone.
  const auto one = [&](const MatrixView<float>& bad_a, const MatrixView<float>& bad_b,
                       const MatrixView<float>& bad_c) {
    expect_failed<InvalidArgument>(
        last, [&] { gemm(world(), 1, odd ? bad_a : a, odd ? bad_b : b, 0, odd ? bad_c : c); });
  };
  one({nullptr, 2, k, k}, b, c);
  one({x.data(), 2, k, k - 1}, b, c);
  one({x.data(), 1, k, k}, b, c);
  one(a, {nullptr, 3, 4, 4}, c);
  one(a, {y.data(), 3, 3, 4}, c);
  one(a, {z.data() + 2, 3, 4, 4}, c);
  one(a, b, {nullptr, 2, 4, 4});
  one(a, b, {z.data(), 2, 4, 4, static_cast<Layout>(2)});
  for (const char* use : {"nothing", "transpose/custom/serial"})
    expect_failed<InvalidArgument>(last, [&] { gemm(world(), 1, a, b, 0, c, {.use = odd ? use : ""}); });
  expect_failed<InvalidArgument>(
      last, [&] { gemm(world(), 1, a, b, 0, c, {.precision = static_cast<Precision>(odd ? 3 : 0)}); });
  // Bits that a path does not promise.
  const auto text =
      thrown<Unavailable>([&] { gemm(world(), 1, a, b, 0, c, {.use = "custom/simd", .bits = portable}); });
  CHECK(contains(text, "gemm/custom/simd: bits is portable; only gemm/custom/threads"));
  // Sizes that differ.
  const auto sizes = " of 4 x " + std::to_string(k) + " elements";
  expect_differ([&] { gemm(world(), 1, a, b, 0, c); },
                [&] { gemm(world(), 1, a, matrix(y, 3, 3), 0, matrix(z, 2, 3)); },
                "gemm f32 of 3 x " + std::to_string(k) + " elements, others gemm f32" + sizes);
  expect_differ([&] { gemm(world(), 1, a, b, 0, c); },
                [&] { gemm(world(), 1, matrix(x, 2, k - 1), b, 0, c); },
                "gemm f32 of 4 x " + std::to_string(k - 1) + " elements, others gemm f32" + sizes);
  CHECK(std::all_of(z.begin(), z.end(), [](float v) { return v == -7; }));
  gemm(world(), 1, a, b, 0, c, {.use = "threads", .bits = portable});  // and all goes on
  CHECK(std::all_of(z.begin(), z.begin() + 8, [&](float v) { return v == static_cast<float>(k); }));
}

/// Memory of one rank that runs out when told to.
struct Poor : Allocator {
  bool out = false;
  void* allocate(std::size_t bytes) override {
    if (out) throw std::bad_alloc();
    return ::operator new (bytes, std::align_val_t{256});
  }
  void release(void* memory, std::size_t) noexcept override {
    ::operator delete (memory, std::align_val_t{256});
  }
};

TEST_CASE("memory that runs out between panels ends the call of all") {
  const int ranks = world().size(), last = ranks - 1;
  const std::int64_t k = 500 * ranks;
  const std::vector<float> x(static_cast<std::size_t>(2 * k), 1), y(2000, 1);
  std::vector<float> z(8);
  Poor memory;
  Context ctx = Context::host(&memory);
  Communicator all = Communicator::adopt_mpi(ctx, world().native_handle());
  const auto multiply = [&] {
    gemm(all, 1, matrix(x, 2, k), matrix(y, 500, 4), 0, matrix(z, 2, 4), {.use = "custom/simd"});
  };
  memory.out = world().rank() == last;  // the path's scratch is asked for in the first panel
  expect_failed<OutOfMemory>(last, multiply);
  memory.out = false;
  multiply();
  CHECK(std::all_of(z.begin(), z.end(), [&](float v) { return v == static_cast<float>(k); }));
}

}  // namespace
}  // namespace tandem

TEST_SUITE_END();
