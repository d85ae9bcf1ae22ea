// Past 2^31 and 2^32 on the CPU, without the memory: leading dimensions, strides, gaps and arrays of several GiB in
// mappings of which only the pages that are written exist, or in which the same pages lie again and again. Every row of
// the host gives the right result and leaves the gaps alone, or says why it does not take the call. Where each element
// counts, our own rows run, and the executor's do not: they would take hours. sort has no such test: it needs all of
// its memory several times (tandem check sort --coverage huge, on a GPU); and sptrsv has no strides.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <complex>
#include <cstring>

#include "lib/core/context_impl.h"
#include "lib/ops/intersect/contract.h"
#include "tandem/tandem.h"
#include "tests/host_rows.h"
#include "tests/support.h"

namespace tandem {
namespace {

constexpr std::int64_t kLines[] = {(std::int64_t{1} << 31) - 1, (std::int64_t{1} << 31) + 5,
                                   (std::int64_t{1} << 32) + 3};

/// Zeros, of which only what is written takes memory.
template <class T>
class Sparse {
 public:
  explicit Sparse(std::int64_t size)
      : size_(size),
        memory_(mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                     -1, 0)) {
    REQUIRE(memory_ != MAP_FAILED);
    madvise(memory_, bytes(), MADV_HUGEPAGE);  // 512 times as few faults, where there are such pages
  }
  Sparse(const Sparse&) = delete;
  ~Sparse() { munmap(memory_, bytes()); }
  T* data() const { return static_cast<T*>(memory_); }
  std::int64_t size() const { return size_; }
  T& operator[](std::int64_t i) const { return data()[i]; }
  operator View<T>() const { return {data(), size_}; }
  operator View<const T>() const { return {data(), size_}; }

 private:
  std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(T); }
  std::int64_t size_;
  void* memory_;
};

/// Elements of which only the last megabyte or less has memory of their own: before them the same few pages lie again
/// and again, so that what is written there must be the same everywhere. Nothing may be touched behind the last one.
template <class T>
class Folded {
 public:
  explicit Folded(std::int64_t size)
      : folds_(static_cast<std::size_t>(size) * sizeof(T) / kFold),
        base_(static_cast<std::byte*>(
            mmap(nullptr, mapped(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))),
        size_(size) {
    const int file = memfd_create("folded", MFD_CLOEXEC);
    REQUIRE((base_ != MAP_FAILED && file >= 0 && ftruncate(file, kFold) == 0));
    bool mapped = true;
    const auto map = [&](std::byte* at, int flags, int from) {
      mapped &= mmap(at, kFold, PROT_READ | PROT_WRITE, MAP_FIXED | flags, from, 0) != MAP_FAILED;
    };
    for (std::size_t f = 0; f < folds_; ++f) map(base_ + f * kFold, MAP_SHARED, file);
    map(base_ + folds_ * kFold, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    close(file);
    REQUIRE(mapped);
    std::memset(base_, 0xFF, kFold);
    std::memset(base_ + folds_ * kFold, 0xFF, kFold);
  }
  Folded(const Folded&) = delete;
  ~Folded() { munmap(base_, mapped()); }
  /// Its last byte is the last one that exists.
  T* data() const { return reinterpret_cast<T*>(base_ + (folds_ + 1) * kFold) - size_; }
  const T& operator[](std::int64_t i) const { return data()[i]; }
  operator View<T>() const { return {data(), size_}; }
  /// Whether every element before those with their own memory is `value`.
  bool all_are(T value) const {
    const T* const first = reinterpret_cast<const T*>(base_);
    return std::all_of(first, first + kFold / sizeof(T), [&](const T& x) { return x == value; });
  }

 private:
  static constexpr std::size_t kFold = 1 << 20;  // bytes
  std::size_t mapped() const { return (folds_ + 2) * kFold; }
  std::size_t folds_;
  std::byte* base_;
  std::int64_t size_;
};

bool any(const Implementation&) { return true; }
bool on_the_host(const Implementation& i) { return i.place == Place::host; }
bool our_own(const Implementation& i) { return on_the_host(i) && i.path == "custom"; }
bool of_threads(const Implementation& i) { return our_own(i) && !i.name.ends_with("/serial"); }

// Calls `right` for every row of an operation that takes the call; it runs the row and says whether the result
// is right.
template <class Right>
int every_row(const char* operation, Right right, bool (*which)(const Implementation&) = any) {
  int rows = 0;
  for (const Implementation* i : host_rows(operation)) {
    if (!which(*i)) continue;
    CAPTURE(i->name);
    try {
      const bool is_right = right(Options{.use = i->name});
      CHECK(is_right);
      ++rows;
    } catch (const Unavailable&) {  // does not take such a call, and said why
    }
  }
  return rows;
}

}  // namespace

TEST_SUITE_BEGIN("large");

TEST_CASE_TEMPLATE("transpose with leading dimensions beyond 2^31", T, float, std::int64_t) {
  Context ctx = Context::host();
  constexpr std::int64_t kRows = 3, kCols = 2;
  for (const std::int64_t ld : kLines) {
    CAPTURE(ld);
    const Sparse<T> in(kRows * ld), out(kCols * (ld + 2));
    const auto element = [](std::int64_t i, std::int64_t j) { return static_cast<T>(1 + 10 * i + j); };
    for (std::int64_t i = 0; i < kRows; ++i) {
      for (std::int64_t j = 0; j < kCols; ++j) in[i * ld + j] = element(i, j);
    }
    const auto run = [&](std::int64_t ld_in, std::int64_t ld_out, const T* from, const Options& options) {
      for (std::int64_t j = 0; j < kCols; ++j) {
        for (std::int64_t i = 0; i <= kRows; ++i) out[j * ld_out + i] = T(-1);
      }
      transpose(ctx, MatrixView<const T>{from, kRows, kCols, ld_in},
                MatrixView<T>{out.data(), kCols, kRows, ld_out}, options);
      bool right = true;
      for (std::int64_t j = 0; j < kCols; ++j) {
        for (std::int64_t i = 0; i < kRows; ++i) right &= out[j * ld_out + i] == element(i, j);
        right &= out[j * ld_out + kRows] == T(-1);
      }
      return right;
    };
    const std::vector<T> narrow{element(0, 0), element(0, 1), element(1, 0),
                                element(1, 1), element(2, 0), element(2, 1)};
    CHECK(every_row("transpose", [&](const Options& o) { return run(ld, ld + 2, in.data(), o); }) >= 2);
    CHECK(every_row("transpose", [&](const Options& o) { return run(ld, kRows + 1, in.data(), o); }) >= 2);
    CHECK(every_row("transpose", [&](const Options& o) { return run(kCols, ld + 2, narrow.data(), o); }) >=
          2);
    CHECK(run(ld, ld + 2, in.data(), {}));  // the automatic choice
  }
}

TEST_CASE("transpose in place with a leading dimension beyond 2^31") {
  Context ctx = Context::host();
  for (const std::int64_t ld : kLines) {
    CAPTURE(ld);
    const Sparse<double> a(3 * ld);
    const auto run = [&](const Options& options) {
      for (std::int64_t i = 0; i < 3; ++i) {
        for (std::int64_t j = 0; j < 3; ++j) a[i * ld + j] = static_cast<double>(10 * i + j);
      }
      transpose(ctx, MatrixView<double>{a.data(), 3, 3, ld}, options);
      bool right = true;
      for (std::int64_t i = 0; i < 3; ++i) {
        for (std::int64_t j = 0; j < 3; ++j) right &= a[i * ld + j] == static_cast<double>(10 * j + i);
      }
      return right;
    };
    CHECK(every_row("transpose", run) >= 1);
    CHECK(run({}));
  }
}

TEST_CASE_TEMPLATE("gemm with leading dimensions beyond 2^31", T, float, double) {
  Context ctx = Context::host();
  constexpr std::int64_t kM = 3, kN = 2, kK = 4;
  for (const std::int64_t ld : kLines) {
    for (const Layout layout : {Layout::row_major, Layout::column_major}) {
      CAPTURE(ld);
      const Sparse<T> a(kK * ld), b(kK * (ld + 1)), c(kM * (ld + 2));
      const auto make = [&](const Sparse<T>& memory, std::int64_t rows, std::int64_t cols,
                            std::int64_t own_ld) {
        MatrixView<T> view{memory.data(), rows, cols, own_ld, layout};
        for (std::int64_t i = 0; i < rows; ++i) {
          for (std::int64_t j = 0; j < cols; ++j)
            memory[layout == Layout::row_major ? i * own_ld + j : i + j * own_ld] =
                static_cast<T>(1 + i + 2 * j);
        }
        return view;
      };
      for (int wide = 0; wide < 4; ++wide) {  // all, or one of the three
        const auto ld_of = [&](int which, std::int64_t own) { return wide == 0 || wide == which ? own : 5; };
        const auto run = [&](const Options& options) {
          const auto x = make(a, kM, kK, ld_of(1, ld)), y = make(b, kK, kN, ld_of(2, ld + 1)),
                     z = make(c, kM, kN, ld_of(3, ld + 2));
          gemm(ctx, T(2), x, y, T(3), z, options);
          bool right = true;
          for (std::int64_t i = 0; i < kM; ++i) {
            for (std::int64_t j = 0; j < kN; ++j) {
              T want = static_cast<T>(3 * (1 + i + 2 * j));
              for (std::int64_t p = 0; p < kK; ++p)
                want += static_cast<T>(2 * (1 + i + 2 * p) * (1 + p + 2 * j));
              right &= c[layout == Layout::row_major ? i * z.ld + j : i + j * z.ld] == want;
            }
          }
          return right;
        };
        CHECK(every_row("gemm", run) >= 2);
        CHECK(run({}));
      }
    }
  }
}

TEST_CASE("tridiagonal with strides beyond 2^31") {
  Context ctx = Context::host();
  constexpr std::int64_t kN = 3, kSystems = 2;
  for (const std::int64_t stride : kLines) {
    CAPTURE(stride);
    for (const Systems& systems :
         {Systems{kN, kSystems, 1, 1, stride, 0}, Systems{kN, kSystems, 1, stride, 1, 0}}) {
      const auto at = [&](std::int64_t s, std::int64_t i) { return s * systems.system + i * systems.row; };
      const std::int64_t size = at(kSystems - 1, kN - 1) + 2;
      const Sparse<double> lower(size), diag(size), upper(size), rhs(size), x(size);
      const auto solution = [](std::int64_t s, std::int64_t i) { return static_cast<double>(1 + s + i); };
      for (std::int64_t s = 0; s < kSystems; ++s) {
        for (std::int64_t i = 0; i < kN; ++i) {
          lower[at(s, i)] = upper[at(s, i)] = -1;
          diag[at(s, i)] = 4;
          rhs[at(s, i)] =
              4 * solution(s, i) - (i > 0 ? solution(s, i - 1) : 0) - (i + 1 < kN ? solution(s, i + 1) : 0);
        }
      }
      const auto run = [&](const Options& options) {
        for (std::int64_t s = 0; s < kSystems; ++s) {
          for (std::int64_t i = 0; i < kN; ++i) x[at(s, i)] = x[at(s, i) + 1] = -1;
        }
        tridiagonal(ctx, View<const double>(lower), View<const double>(diag), View<const double>(upper),
                    View<const double>(rhs), View<double>(x), systems, options);
        bool right = x[size - 1] == -1;
        for (std::int64_t s = 0; s < kSystems; ++s) {
          for (std::int64_t i = 0; i < kN; ++i) right &= std::abs(x[at(s, i)] - solution(s, i)) < 1e-12;
        }
        return right;
      };
      CHECK(every_row("tridiagonal", run) >= 2);
      CHECK(run({}));
    }
  }
}

TEST_CASE("segments whose elements lie beyond 2^31") {
  Context ctx = Context::host();
  for (const std::int64_t begin : kLines) {
    CAPTURE(begin);
    const Sparse<std::int32_t> x(begin + 10);
    for (std::int64_t i = 0; i < 10; ++i) x[begin + i] = static_cast<std::int32_t>(1 << i);
    const std::vector<std::int64_t> offsets{begin + 1, begin + 3, begin + 3, begin + 7};
    const auto run = [&](const Options& options) {
      std::vector<std::int32_t> y(3, -7);
      segmented_reduce(ctx, View<const std::int32_t>(x), Segments(ctx, offsets), y, options);
      return y == std::vector<std::int32_t>{6, 0, 120};
    };
    CHECK(every_row("segmented_reduce", run, on_the_host) >= 2);
    CHECK(run({}));
  }
}

TEST_CASE("rows and columns with leading dimensions beyond 2^31") {
  Context ctx = Context::host();
  for (const std::int64_t ld : kLines) {
    CAPTURE(ld);
    const Sparse<std::int64_t> x(3 * ld);
    for (std::int64_t i = 0; i < 3; ++i) {
      for (std::int64_t j = 0; j < 2; ++j) x[i * ld + j] = 1 + 10 * i + j;
    }
    for (const auto& [axis, sums] :
         {std::pair{0, std::vector<std::int64_t>{33, 36}}, {1, std::vector<std::int64_t>{3, 23, 43}}}) {
      const auto run = [&, axis = axis, &sums = sums](const Options& options) {
        std::vector<std::int64_t> y(sums.size(), -7);
        reduce_axis(ctx, MatrixView<const std::int64_t>{x.data(), 3, 2, ld}, axis, y, options);
        return y == sums;
      };
      CHECK(every_row("segmented_reduce", run) >= 2);
      CHECK(run({}));
    }
  }
}

// The first number of a row is its only one, so that its transform is the same everywhere.
TEST_CASE("rows of transforms further apart than 2^31 numbers") {
  using Number = std::complex<float>;
  Context ctx = Context::host();
  constexpr std::int64_t n = 16;
  const std::vector<Number> ones(n, Number(1));  // a filter that changes nothing
  for (const std::int64_t distance : kLines) {
    CAPTURE(distance);
    const Sparse<Number> x(distance + n), y(distance + n);
    const Sparse<float> reals(distance + n);
    for (const std::int64_t row : {0, 1})
      x[row * distance] = reals[row * distance] = 3.0F + static_cast<float>(row);
    const auto every = [&](const char* operation, auto call, std::int64_t numbers, bool constant) {
      const auto run = [&](const Options& options) {
        for (const std::int64_t row : {0, 1}) std::fill_n(y.data() + row * distance, n, Number(-7));
        call(options);
        bool right = y[distance - 1] == Number(0);
        for (std::int64_t k = 0; k < 2 * n; ++k) {
          const Number first(3.0F + static_cast<float>(k / n));
          const Number want = k % n >= numbers ? Number(-7) : constant || k % n == 0 ? first : Number(0);
          right &= std::abs(y[k / n * distance + k % n] - want) < 1e-5F;
        }
        return right;
      };
      CHECK(every_row(operation, run, our_own) >= 2);  // FFTW plans on arrays of its own, as large as these
      CHECK(run({}));
    };
    const Transforms rows{.n = n, .batch = 2, .in_distance = distance, .out_distance = distance};
    const View<const Number> in = x;
    const View<Number> out = y;
    every(
        "fft", [&](const Options& o) { fft(ctx, in, out, rows, o); }, n, true);
    every(
        "real_fft", [&](const Options& o) { real_fft(ctx, View<const float>(reals), out, rows, o); },
        n / 2 + 1, true);
    every(
        "convolve", [&](const Options& o) { convolve(ctx, in, ones, out, rows, o); }, n, false);
    // Both rows are one grid: of its second axis alone the numbers are the same.
    const Grid grids{.extents = {1, n},
                     .in_strides = {n, 1},
                     .out_strides = {n, 1},
                     .batch = 2,
                     .in_distance = distance,
                     .out_distance = distance};
    every(
        "fft_nd", [&](const Options& o) { fft_nd(ctx, in, out, grids, o); }, n, true);
    every(
        "real_fft_nd", [&](const Options& o) { real_fft_nd(ctx, View<const float>(reals), out, grids, o); },
        n / 2 + 1, true);
  }
}

TEST_CASE("axes of grids with strides beyond 2^31") {
  using Number = std::complex<float>;
  Context ctx = Context::host();
  for (const std::int64_t stride : kLines) {
    CAPTURE(stride);
    const Sparse<Number> x(stride + 4), y(stride + 4);
    x[0] = 5, x[stride] = 2;
    const Grid grid{.extents = {2, 4}, .in_strides = {stride, 1}, .out_strides = {stride, 1}};
    const auto run = [&](const Options& options) {
      for (const std::int64_t row : {0, 1}) std::fill_n(y.data() + row * stride, 4, Number(-7));
      fft_nd(ctx, View<const Number>(x), View<Number>(y), grid, options);
      bool right = y[4] == Number(0) && y[stride - 1] == Number(0);
      for (std::int64_t k = 0; k < 4; ++k) right &= y[k] == Number(7) && y[stride + k] == Number(3);
      return right;
    };
    CHECK(every_row("fft_nd", run, our_own) >= 3);
    CHECK(run({}));
  }
}

TEST_CASE("sparse times dense matrices with leading dimensions beyond 2^31") {
  Context ctx = Context::host();
  const std::vector<std::int64_t> offsets{0, 1, 3};
  const std::vector<std::int32_t> columns{1, 0, 1};
  const std::vector<double> values{2, 3, 5};
  const CsrMatrix<double> a(ctx, 2, 2, offsets, columns, values);
  for (const std::int64_t ld : kLines) {
    CAPTURE(ld);
    const Sparse<double> b(ld + 3), c(ld + 3);
    for (std::int64_t j = 0; j < 3; ++j) {
      b[j] = static_cast<double>(j + 1);
      b[ld + j] = static_cast<double>(10 * (j + 1));
    }
    const auto run = [&](const Options& options) {
      for (const std::int64_t row : {0, 1}) std::fill_n(c.data() + row * ld, 3, -7.0);
      spmm(ctx, a, MatrixView<const double>{b.data(), 2, 3, ld}, MatrixView<double>{c.data(), 2, 3, ld}, {},
           options);
      bool right = c[3] == 0 && c[ld - 1] == 0;
      for (std::int64_t j = 0; j < 3; ++j) {
        const auto one = static_cast<double>(j + 1);
        right &= c[j] == 20 * one && c[ld + j] == 53 * one;
      }
      return right;
    };
    CHECK(every_row("spmm", run, on_the_host) >= 3);
    CHECK(run({}));
  }
}

// Numbers of columns have 32 bits, so that no vector is longer.
TEST_CASE("sparse times vector with the last of 2^31 - 1 columns") {
  Context ctx = Context::host();
  constexpr std::int64_t cols = (std::int64_t{1} << 31) - 1;
  const std::vector<std::int64_t> offsets{0, 2, 2, 3};
  const std::vector<std::int32_t> columns{0, cols - 1, cols - 2};
  const std::vector<double> values{2, 3, 5};
  const CsrMatrix<double> a(ctx, 3, cols, offsets, columns, values);
  const Sparse<double> x(cols);
  x[0] = 1, x[cols - 2] = 20, x[cols - 1] = 300;
  const auto run = [&](const Options& options) {
    std::vector<double> y(3, -7);
    spmv(ctx, a, View<const double>(x), y, {}, options);
    return y == std::vector<double>{902, 0, 100};
  };
  CHECK(every_row("spmv", run, on_the_host) >= 2);
  CHECK(run({}));
}

// Behind a list of which only the length exists. There is no such index of 16 GiB, so the rows get their arguments.
TEST_CASE("posting lists that lie beyond 2^32 ids") {
  using C = Intersect::Case<std::uint32_t>;
  const std::vector<std::uint32_t> lists[] = {{1, 5, 7, 9, 40}, {5, 6, 9, 41, 50, 60}};
  const std::uint64_t first = (std::uint64_t{1} << 32) + 5;
  const Sparse<std::uint32_t> ids(static_cast<std::int64_t>(first) + 20);
  std::vector<std::uint64_t> starts{0, first};
  for (const auto& list : lists) {
    std::copy(list.begin(), list.end(), ids.data() + starts.back());
    starts.push_back(starts.back() + list.size());
  }
  Queries queries;
  queries.add({2, 1});
  queries.add({1});
  const QueryPlan plan(starts, queries);
  Context ctx = Context::host();
  const Array<std::uint64_t> words(ctx, plan.words()), placed_starts(ctx, starts);
  Array<std::uint64_t> offsets(ctx, 3);
  Array<std::uint32_t> out(ctx, plan.host().candidates);
  C::Args a{};
  static_cast<PlanView&>(a) = plan.at(words.data());
  a.host = plan.host();
  a.ids = ids.data();
  a.starts = placed_starts.data();
  a.host_starts = starts.data();
  a.lists = 3;
  a.offsets = offsets.data();
  a.out = out.data();
  int rows = 0;
  for (const Implementation* i : host_rows("intersect")) {
    const Intersect::Shape shape{2, 2, 5, a.candidates, false, Intersect::Form::plain};
    if (!i->refusal(&shape, C::id).empty()) continue;
    a.serial = ~std::uint64_t{0} - static_cast<std::uint64_t>(rows++);  // no index has it
    ctx.impl().lend(ids.data(), static_cast<std::size_t>(ids.size()) * sizeof(std::uint32_t));
    run(*i, 0, &a, ctx, "large");
    CHECK_MESSAGE((offsets.to_vector() == std::vector<std::uint64_t>{0, 2, 7}), i->name);
    std::vector<std::uint32_t> found = out.to_vector();
    found.resize(7);
    CHECK_MESSAGE((found == std::vector<std::uint32_t>{5, 9, 1, 5, 7, 9, 40}), i->name);
  }
  CHECK(rows >= 8);
}

#ifndef TANDEM_SANITIZED  // which keeps memory of its own for all that is read
TEST_CASE("scan, transform and select past 4 GiB") {
  Context ctx = Context::host();
  constexpr std::int64_t n = (std::int64_t{1} << 29) + 3;
  const Sparse<std::int64_t> x(n);
  x[0] = 1, x[n - 2] = 20, x[n - 1] = 300;
  const Folded<std::int64_t> y(n);
  const Sparse<std::int64_t> kept(n);
  const View<const std::int64_t> in = x;
  const View<std::int64_t> out = y;
  CHECK(every_row(
            "scan",
            [&](const Options& o) {
              inclusive_scan(ctx, in, out, plus, o);
              return y.all_are(1) && y[n - 3] == 1 && y[n - 2] == 21 && y[n - 1] == 321;
            },
            our_own) >= 3);
  x[0] = 0;
  CHECK(every_row(
            "transform",
            [&](const Options& o) {
              transform(ctx, axpy(std::int64_t{2}), in, in, out, o);
              return y.all_are(0) && y[n - 3] == 0 && y[n - 2] == 60 && y[n - 1] == 900;
            },
            our_own) >= 2);
  CHECK(every_row(
            "select",
            [&](const Options& o) {
              kept[0] = kept[1] = kept[2] = -7;
              return select(ctx, in, greater{std::int64_t{0}}, View<std::int64_t>(kept), o) == 2 &&
                     kept[0] == 20 && kept[1] == 300 && kept[2] == -7;
            },
            our_own) >= 3);
}

TEST_CASE("reduce and histogram past 2^32 elements") {
  Context ctx = Context::host();
  constexpr std::int64_t n = (std::int64_t{1} << 32) + 3;
  const Sparse<std::uint8_t> x(n);
  x[0] = 1, x[n - 2] = 20, x[n - 1] = 100;
  CHECK(every_row(
            "histogram",
            [&](const Options& o) {
              std::vector<std::int64_t> counts(256);
              histogram(ctx, View<const std::uint8_t>(x), 0, 256, counts, o);
              return counts[0] == n - 3 && counts[1] == 1 && counts[20] == 1 && counts[100] == 1;
            },
            of_threads) >= 2);
  const View<const std::int8_t> bytes{reinterpret_cast<const std::int8_t*>(x.data()), n};
  CHECK(every_row(
            "reduce", [&](const Options& o) { return reduce(ctx, bytes, plus, o) == 121; }, our_own) >= 2);
}
#endif

#ifdef TANDEM_HAS_SIMT
// The planted row counts bytes in 32 bits.
TEST_CASE("reduce past 4 GiB") {
  Context ctx = Context::host();
  const std::int64_t n = (std::int64_t{1} << 30) + 3;
  const Sparse<std::int32_t> x(n);
  x[0] = 1, x[n - 2] = 20, x[n - 1] = 300;
  const auto total = [&](const std::string& use) {
    return reduce(ctx, View<const std::int32_t>(x), plus, {.use = use});
  };
  CHECK(total("custom/serial") == 321);
  CHECK(total("custom/threads") == 321);
  CHECK(total("wrong/wrapped_offset") != 321);
}
#endif

TEST_SUITE_END();

}  // namespace tandem
